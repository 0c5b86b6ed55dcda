/**
 * Work that many ask for at the same time, done once for all of them. Whoever comes while it is being done waits for the
 * next time, which begins afterwards and is for everybody who came meanwhile: so nobody is ever answered with what was read
 * before they asked, and there is never more than one at work for each key.
 */
export class Together<T> {
  private readonly running = new Map<string, Promise<T>>();
  private readonly waiting = new Map<string, Promise<T>>();

  /** What the work of this key gives; it rejects for all of them together. */
  do(key: string, work: () => Promise<T>): Promise<T> {
    const waiting = this.waiting.get(key);
    if (waiting) return waiting;
    const running = this.running.get(key);
    if (!running) return this.begin(key, work);
    const next = running.then(ignore, ignore).then(() => {
      this.waiting.delete(key);
      return this.begin(key, work);
    });
    this.waiting.set(key, next);
    return next;
  }

  private begin(key: string, work: () => Promise<T>): Promise<T> {
    const doing = work().finally(() => {
      if (this.running.get(key) === doing) this.running.delete(key);
    });
    this.running.set(key, doing);
    return doing;
  }
}

const ignore = (): void => undefined;
