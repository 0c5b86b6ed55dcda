/** A component that is loaded when it is first rendered. */
import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";

export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const loaded = signal<ComponentType<Props> | null>(null);
  return function Later(props: Props) {
    useEffect(() => {
      if (loaded.value) return;
      // a chunk that no longer exists after an update: reload the page
      load().then(
        (part) => (loaded.value = part),
        () => location.reload(),
      );
    }, []);
    const { value: Part } = loaded;
    return Part ? <Part {...props} /> : null;
  };
}
