/** Default port of the server. */
export const DEFAULT_PORT = 8787;
/** Default address of the server: this machine only. */
export const DEFAULT_HOST = "127.0.0.1";
/** Default data folder of the command line. */
export const DEFAULT_DATA_FOLDER = ".wakeful";
/** Address of the Telegram Bot API. */
export const TELEGRAM_API = "https://api.telegram.org";

/**
 * Default of `skills.global` for the command line: a person's server has the skills in their home folder. A program
 * that embeds Wakeful reads only the folders that it was given.
 */
export const DEFAULT_GLOBAL_SKILLS = true;
/** Address of ClawHub. */
export const CLAWHUB_URL = "https://clawhub.ai";
