/** Error codes that shell commands distinguish, with their usual messages. */
const WORDS = {
  EACCES: "permission denied",
  EDQUOT: "too much was written by one command",
  EEXIST: "file already exists",
  EINVAL: "invalid argument",
  EISDIR: "illegal operation on a directory",
  ENOENT: "no such file or directory",
  ENOTDIR: "not a directory",
  ENOTEMPTY: "directory not empty",
  ENOTSUP: "operation not supported",
  EPERM: "operation not permitted",
} as const;
export type PathFaultCode = keyof typeof WORDS;

/** A file system error. Commands search its message for the code. */
export class PathFault extends Error {
  override readonly name = "PathFault";
  readonly code: PathFaultCode;

  constructor(code: PathFaultCode, operation: string, path: string, detail?: string, options?: ErrorOptions) {
    super(`${code}: ${WORDS[code]}, ${operation} '${path}'${detail === undefined ? "" : ` (${detail})`}`, options);
    this.code = code;
  }
}
