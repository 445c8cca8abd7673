/** Most bytes of an archive: 10 MiB. */
export const MAX_ARCHIVE_BYTES = 10 * 1024 * 1024;
/** Most bytes that an archive may unpack to, counted while it is unpacked: 50 MiB. */
export const MAX_UNPACKED_BYTES = 50 * 1024 * 1024;
/** Most files of a skill. */
export const MAX_SKILL_FILES = 500;
/** Most entries of an archive, including folders: checked before anything is read. */
export const MAX_ARCHIVE_ENTRIES = 1000;
/** Most unpacked bytes per packed byte. */
export const MAX_RATIO = 100;
/** Bytes that one entry may unpack to at any ratio: a short file of blanks is no bomb. 64 KiB. */
export const RATIO_FREE_BYTES = 64 * 1024;
/** Most bytes of a `SKILL.md`: 1 MiB. */
export const MAX_SKILL_TEXT_BYTES = 1024 * 1024;
/** Most characters of a path within a skill. */
export const MAX_PATH_CHARACTERS = 200;
/** Most bytes of one name within a path, in UTF-8. */
export const MAX_SEGMENT_BYTES = 100;
/** Most names within a path. */
export const MAX_PATH_DEPTH = 10;

/** Milliseconds that a registry has to answer a question. */
export const REGISTRY_TIMEOUT_MS = 10_000;
/** Milliseconds that a registry has to deliver an archive. */
export const DOWNLOAD_TIMEOUT_MS = 60_000;
/** Most results of one search, per registry and in total. */
export const MAX_FOUND = 20;
