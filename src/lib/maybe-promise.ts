/** Values with or without a promise: most steps of a request are synchronous, and a promise for each would take longer than the step itself. */
export type MaybePromise<T> = T | Promise<T>;

/** Continues with a value, synchronously if it is no promise. @throws errors of `then` */
export function andThen<T, R>(value: MaybePromise<T>, then: (value: T) => Promise<R>): Promise<R>;
export function andThen<T, R>(value: MaybePromise<T>, then: (value: T) => MaybePromise<R>): MaybePromise<R>;
export function andThen<T, R>(value: MaybePromise<T>, then: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(then) : then(value);
}

/** Runs `work`. @returns its result, or that of `onError` if it throws or rejects */
export function attempt<T>(work: () => MaybePromise<T>, onError: (error: unknown) => T): MaybePromise<T> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch(onError) : value;
  } catch (error) {
    return onError(error);
  }
}
