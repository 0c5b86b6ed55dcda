/** A component that is loaded when it is first rendered. */
import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { loadChunk } from "../lib/chunk.js";
import { isOffline } from "../lib/connection.js";

/** In place of a part whose script has not arrived. */
export const Awaited = () => (isOffline.value ? <p>This is shown once there is a connection.</p> : null);

export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const loaded = signal<ComponentType<Props> | null>(null);
  return function Later(props: Props) {
    useEffect(() => {
      if (!loaded.value) void loadChunk(load).then((part) => (loaded.value = part));
    }, []);
    const { value: Part } = loaded;
    return Part ? <Part {...props} /> : <Awaited />;
  };
}
