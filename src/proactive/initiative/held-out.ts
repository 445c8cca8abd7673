/**
 * Does a task run without the initiative hook, so that what the hook is worth can be measured? Decided by the task's id alone: the same on every try and in every
 * process.
 *
 * @param share Of all tasks, 0 to 1.
 */
export function isHeldOut(taskId: string, share: number): boolean {
  if (share <= 0) return false;
  let hash = 0x811c_9dc5;
  for (let at = 0; at < taskId.length; at += 1) hash = Math.imul(hash ^ taskId.charCodeAt(at), 0x0100_0193);
  // Ids that differ in their last sign alone would else lie side by side.
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb_352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846c_a68b);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32 < share;
}
