/** Told what is being done, and how much of how much; the total may be an estimate. */
export type Progress = (step: string, done: number, total: number) => void;
