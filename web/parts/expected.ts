/** What is shown at once, as it is expected to be; what is refused is taken back, and said. */
import { useRef, useState } from "preact/hooks";
import { tellProblem } from "./toast.js";

export interface Expected<State> {
  shown: State;
  /** Shows a state at once, and does what leads to it, after what was attempted before. */
  attempt: (state: State, run: () => Promise<unknown>) => void;
}

/** @param actual as the board has it */
export function useExpected<State>(actual: State): Expected<State> {
  const [expected, setExpected] = useState<State | null>(null);
  const attempts = useRef({ underWay: 0, last: Promise.resolve() });
  const after = async (before: Promise<void>, run: () => Promise<unknown>): Promise<void> => {
    await before;
    try {
      await run();
    } catch (error) {
      tellProblem(error);
    }
    attempts.current.underWay -= 1;
    if (attempts.current.underWay === 0) setExpected(null);
  };
  const attempt = (state: State, run: () => Promise<unknown>) => {
    setExpected(state);
    attempts.current.underWay += 1;
    attempts.current.last = after(attempts.current.last, run);
  };
  return { shown: expected ?? actual, attempt };
}
