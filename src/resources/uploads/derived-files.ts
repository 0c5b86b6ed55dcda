/** The temporary files to which a decoder writes thumbnails and sample, until they are stored. */
import type { DerivedPaths, Rendered } from "../../media/types.js";
import { type Derived, type DerivedFacts, derivedOf, keyOf, type MediaFile } from "../../storage/keys.js";
import type { Storage, TemporaryFile } from "../../storage/storage.js";

export class DerivedFiles {
  private constructor(private readonly files: Readonly<Record<Derived, TemporaryFile>>) {}

  static async make(storage: Storage): Promise<DerivedFiles> {
    const jpeg = () => storage.temporary.create(".jpg");
    const webp = () => storage.temporary.create(".webp");
    return new DerivedFiles({
      preview: await jpeg(),
      "360x360": await webp(),
      "720x720": await webp(),
      sample: await jpeg(),
    });
  }

  get paths(): DerivedPaths {
    const { preview, sample, "360x360": small, "720x720": large } = this.files;
    return { preview: preview.path, sample: sample.path, thumbnails: { 360: small.path, 720: large.path } };
  }

  /** Key and temporary path of each file that was created. */
  places(file: MediaFile, made: DerivedFacts): [string, string][] {
    return derivedOf(made).map((variant) => [keyOf(variant, file), this.files[variant].path]);
  }

  async remove(): Promise<void> {
    await Promise.all(Object.values(this.files).map((file) => file.remove()));
  }
}

/** The columns about the files that a decoder has created. */
export const factsOf = ({ info, hasSample, placeholder }: Rendered): DerivedFacts => ({
  imageWidth: info.width,
  imageHeight: info.height,
  hasSample,
  placeholder: placeholder ?? null,
});
