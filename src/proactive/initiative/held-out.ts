/**
 * Whether a task runs without the initiative hook, so that the hook's benefit can be measured. Depends only on the task
 * id: every retry and every process decides alike.
 *
 * @param share Share of tasks held out, 0 to 1.
 */
export function isHeldOut(taskId: string, share: number): boolean {
  if (share <= 0) return false;
  let hash = 0x811c_9dc5;
  for (let at = 0; at < taskId.length; at += 1) hash = Math.imul(hash ^ taskId.charCodeAt(at), 0x0100_0193);
  // Without this mixing, ids that differ only in their last character get neighbouring hashes.
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb_352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846c_a68b);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32 < share;
}
