/** Masked fragments: a component is given a reference, and sees the fields of its own fragment alone. */
interface Fragment {
  " $fragmentName"?: string;
}

/** A record of which a component's fragment was asked. */
export type Ref<F extends Fragment> = F extends { " $fragmentName"?: infer Name extends string }
  ? { " $fragmentRefs"?: { [K in Name]: F } }
  : never;

/** The fields of a component's own fragment. */
export const unmask = <F extends Fragment>(reference: Ref<F>): F => reference as unknown as F;
