/** Gives a text, or parts of a file, to the person as a file. */
export function download(name: string, content: string | BlobPart[], type = "text/plain"): void {
  const parts = typeof content === "string" ? [content] : content;
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers read the file only after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
