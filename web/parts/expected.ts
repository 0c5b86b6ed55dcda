/** Optimistic updates: the expected state is shown at once, and undone with a message if the board refuses. */
import { useRef, useState } from "preact/hooks";
import { tellProblem } from "./toast.js";

export interface Expected<State> {
  shown: State;
  /**
   * Shows a state at once, and runs the request that leads to it after earlier attempts. While an attempt is under way,
   * another one of the same name does nothing: a hasty second click does not undo the first.
   */
  attempt: (name: string, state: State, run: () => Promise<unknown>) => void;
}

/** @param actual the board's state */
export function useExpected<State>(actual: State): Expected<State> {
  const [expected, setExpected] = useState<State | null>(null);
  const attempts = useRef({ underWay: new Set<string>(), last: Promise.resolve() });
  const { underWay } = attempts.current;
  const after = async (before: Promise<void>, name: string, run: () => Promise<unknown>): Promise<void> => {
    await before;
    try {
      await run();
    } catch (error) {
      tellProblem(error);
    }
    underWay.delete(name);
    if (underWay.size === 0) setExpected(null);
  };
  const attempt = (name: string, state: State, run: () => Promise<unknown>) => {
    if (underWay.has(name)) return;
    setExpected(state);
    underWay.add(name);
    attempts.current.last = after(attempts.current.last, name, run);
  };
  return { shown: expected ?? actual, attempt };
}
