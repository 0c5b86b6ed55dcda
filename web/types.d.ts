/** Imports that the bundler resolves and that are not code. */
declare module "*.css";
