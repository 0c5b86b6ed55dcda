/** What the bundler makes of the imports that are no program. */
declare module "*.css";
