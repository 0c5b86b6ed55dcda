/** Values that are there at once, or later: most steps of a request wait for nothing, and a promise for each takes longer than the step. */
export type MaybePromise<T> = T | Promise<T>;

/** Continues with a value, at once if it is there. @throws what `then` throws */
export function andThen<T, R>(value: MaybePromise<T>, then: (value: T) => Promise<R>): Promise<R>;
export function andThen<T, R>(value: MaybePromise<T>, then: (value: T) => MaybePromise<R>): MaybePromise<R>;
export function andThen<T, R>(value: MaybePromise<T>, then: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(then) : then(value);
}

/** What `work` returns, or what `onError` returns for the error that it throws or rejects with. */
export function attempt<T>(work: () => MaybePromise<T>, onError: (error: unknown) => T): MaybePromise<T> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch(onError) : value;
  } catch (error) {
    return onError(error);
  }
}
