// Tensors of the server: little-endian numbers in base64.

import type { Tensor } from "../api/sengoku";

/** The bytes of a text in base64. */
export function bytesOf(base64: string | undefined): Uint8Array<ArrayBuffer> {
  const text = atob(base64 ?? "");
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Lengths of the dimensions of a tensor. */
export function shapeOf(tensor: Tensor | undefined): number[] {
  return (tensor?.shape ?? []).map(Number);
}

/** The elements of a tensor of 32-bit floating point numbers. */
export function floats(tensor: Tensor | undefined): Float32Array {
  return new Float32Array(bytesOf(tensor?.content).buffer);
}

/** The elements of a tensor, row by row; those of 64 bits are texts if they are integers. */
export function elements(tensor: Tensor | undefined): (number | string)[] {
  const buffer = bytesOf(tensor?.content).buffer;
  switch (tensor?.dataType) {
    case "DATA_TYPE_FLOAT64":
      return [...new Float64Array(buffer)];
    case "DATA_TYPE_FLOAT32":
      return [...new Float32Array(buffer)];
    case "DATA_TYPE_UINT64":
      return Array.from(new BigUint64Array(buffer), String);
    case "DATA_TYPE_UINT32":
      return [...new Uint32Array(buffer)];
    case "DATA_TYPE_INT32":
      return [...new Int32Array(buffer)];
    case "DATA_TYPE_INT8":
      return [...new Int8Array(buffer)];
    default:
      return [...new Uint8Array(buffer)];
  }
}
