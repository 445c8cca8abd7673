import { laterValue, refused } from "../../settings/index.ts";

/** Rooms that do not exist yet. Their names are known, so that a file written for a later version still starts. */
export const laterRooms = {
  nodes: laterValue({ what: "Tools on a person's own machine" }),
  media: laterValue({ what: "Speech as text, and pictures" }),
};

export const refusedRooms = {
  guard: refused({
    what: "Checks of commands and addresses",
    instead: "the guards of paths, commands and addresses are always on",
  }),
};
