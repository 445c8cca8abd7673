const JOB_KEYS = "job:";

/** The engine's key of one run: the job and its planned time. */
export function jobKeyOf(id: string, planned: number): string {
  return `${JOB_KEYS}${id}:${planned}`;
}

export function isJobKey(key: string): boolean {
  return key.startsWith(JOB_KEYS);
}

export function readJobKey(key: string): { readonly id: string; readonly planned: number } {
  const colon = key.lastIndexOf(":");
  return { id: key.slice(JOB_KEYS.length, colon), planned: Number(key.slice(colon + 1)) };
}
