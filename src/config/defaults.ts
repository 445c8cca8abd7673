/** The port that a server listens on when none is given. */
export const DEFAULT_PORT = 8787;
/** The address that a server listens on when none is given: this machine only. */
export const DEFAULT_HOST = "127.0.0.1";
/** The folder that the command line keeps its data in when none is given. */
export const DEFAULT_DATA_FOLDER = ".wakeful";
/** Where the Telegram Bot API is. */
export const TELEGRAM_API = "https://api.telegram.org";

/** A server of a person has the skills of their home; a program that embeds Wakeful reads no folder that it was not told of. */
export const DEFAULT_GLOBAL_SKILLS = true;
/** Where ClawHub is. */
export const CLAWHUB_URL = "https://clawhub.ai";
