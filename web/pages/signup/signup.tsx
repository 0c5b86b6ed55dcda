export const Page = () => <p>…</p>;
