/** Receives progress: the task, the amount done and the total, which may be an estimate. */
export type Progress = (step: string, done: number, total: number) => void;
