/** The order of the test files: the longest first, so that all workers end at about the same time. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

export class LongestFirst extends BaseSequencer {
  /** Those of the folder `load` before the others; each part by the last run's durations, or in a new checkout by size. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLoad = ({ moduleId }: TestSpecification) => moduleId.includes("/test/load/");
    return [...sorted.filter(isLoad), ...sorted.filter((file) => !isLoad(file))];
  }
}
