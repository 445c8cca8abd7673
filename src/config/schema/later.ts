import { laterValue, refused } from "../../settings/index.ts";

/** Rooms that do not exist yet. Their names are accepted, so that a file for a later version still starts. */
export const laterRooms = {
  nodes: laterValue({ what: "Tools on a person's own machine" }),
  media: laterValue({ what: "Speech to text, and images" }),
};

export const refusedRooms = {
  guard: refused({
    what: "Checks of commands and addresses",
    instead: "the guards of paths, commands and addresses are always on",
  }),
};
