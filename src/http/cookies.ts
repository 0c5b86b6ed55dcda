/** The cookies of a request and of a response. */
import { parse, serialize, type SerializeOptions } from "cookie";
import { sign, unsign } from "cookie-signature";

const SIGNED = "s:";

export class Cookies {
  private readonly values: Readonly<Record<string, string | undefined>>;

  /** @param header the `Cookie` header @param secret for signatures */
  constructor(
    header: string | undefined,
    private readonly secret: string,
  ) {
    this.values = header ? parse(header) : {};
  }

  /** A value as it was sent. */
  get(name: string): string | undefined {
    return this.values[name];
  }

  /** A value with a valid signature of ours; undefined for any other. */
  signed(name: string): string | undefined {
    const value = this.values[name];
    if (!value?.startsWith(SIGNED)) return undefined;
    const unsigned = unsign(value.slice(SIGNED.length), this.secret);
    return unsigned === false ? undefined : unsigned;
  }
}

export interface CookieOptions extends Pick<SerializeOptions, "httpOnly" | "sameSite" | "secure" | "path"> {
  /** milliseconds */
  age: number;
}

/** A `Set-Cookie` header. */
export const cookieHeader = (name: string, value: string, { age, ...options }: CookieOptions): string =>
  serialize(name, value, { ...options, maxAge: Math.floor(age / 1000), expires: new Date(Date.now() + age) });

export const signedCookieHeader = (name: string, value: string, secret: string, options: CookieOptions): string =>
  cookieHeader(name, SIGNED + sign(value, secret), options);

/** A `Set-Cookie` header that removes a cookie. */
export const expiredCookieHeader = (name: string, options: Omit<CookieOptions, "age">): string =>
  serialize(name, "", { ...options, expires: new Date(1) });
