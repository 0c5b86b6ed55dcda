/** Masked fragments: a component receives a reference, and sees only the fields of its own fragment. */
interface Fragment {
  " $fragmentName"?: string;
}

/** A record that was queried with a component's fragment. */
export type Ref<F extends Fragment> = F extends { " $fragmentName"?: infer Name extends string }
  ? { " $fragmentRefs"?: { [K in Name]: F } }
  : never;

/** The fields of a component's own fragment. */
export const unmask = <F extends Fragment>(reference: Ref<F>): F => reference as unknown as F;
