import type { Component, FunctionComponent } from "preact";

/**
 * A component that is rendered again only if something that it shows changes. Memoized elements would do the same, but each keeps the page in which it
 * was first shown, and so all pages before that one.
 * @param shown what it shows with these props, compared by identity
 */
export const memo = <Props extends object>(
  Part: FunctionComponent<Props>,
  shown: (props: Props) => readonly unknown[] = Object.values,
): FunctionComponent<Props> =>
  function Memo(this: Component<Props>, props: Props) {
    const now = shown(props);
    this.shouldComponentUpdate = (next) => shown(next).some((each, index) => each !== now[index]);
    return <Part {...props} />;
  } as FunctionComponent<Props>;
