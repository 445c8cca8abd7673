import { list, names, section, text, timezone, user, userOrHost } from "../../settings/index.ts";

export const people = {
  owner: section(
    {
      ids: list(userOrHost({ what: "One of the owner's accounts", example: "telegram:42" }), {
        what: "The owner's accounts; the owner may use every tool and has one session for all accounts",
        inCode: "`sdk` stands for `send` and `tools.run` without a user.",
      }),
    },
    { what: "The owner of this assistant" },
  ),
  roles: names(
    "role",
    list(userOrHost({ what: "An account with this role", example: "telegram:43" }), {
      what: "Accounts with this role",
    }),
    {
      what: "Roles that tools can require, and who has them; `owner` and `user` are built in",
    },
  ),
  users: names(
    "user",
    section(
      {
        name: text({ what: "The person's name", example: "Ada" }),
        timezone: timezone({ what: "The person's time zone", example: "Europe/Stockholm" }),
        language: text({ what: "The language to answer in, as a BCP 47 tag", example: "en" }),
        noticesTo: user({
          what: "The person's account that gets unsolicited messages; default: the chat that a message belongs to",
          example: "telegram:42",
        }),
      },
      { what: "A person", type: "context/options.ts#Person" },
    ),
    { what: "Facts about people, by their `channel:id`", inCode: "They are in the prompt when the person speaks." },
  ),
};
