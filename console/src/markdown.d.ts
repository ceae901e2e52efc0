// Texts of other folders that the build puts into the bundle.
declare module "*.md" {
  const text: string;
  export default text;
}
