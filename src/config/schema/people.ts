import { list, names, section, text, timezone, user, userOrHost } from "../../settings/index.ts";

export const people = {
  owner: section(
    {
      ids: list(userOrHost({ what: "One of the owner's accounts", example: "telegram:42" }), {
        what: "The owner's accounts; the owner may use every tool and shares one session over all of them",
        inCode: "`sdk` is `send` and `tools.run` without a user.",
      }),
    },
    { what: "Whose assistant this is" },
  ),
  roles: names(
    "role",
    list(userOrHost({ what: "Somebody with this role", example: "telegram:43" }), { what: "Who has this role" }),
    {
      what: "Roles that tools can ask for, and who has them; `owner` and `user` are built in",
    },
  ),
  users: names(
    "user",
    section(
      {
        name: text({ what: "How the person is called", example: "Ada" }),
        timezone: timezone({ what: "Where the person is", example: "Europe/Stockholm" }),
        language: text({ what: "The language to answer in, as a BCP 47 tag", example: "en" }),
        noticesTo: user({
          what: "The account of theirs on which they are told what they did not ask for; when left out, where it belongs",
          example: "telegram:42",
        }),
      },
      { what: "A person", type: "context/options.ts#Person" },
    ),
    { what: "What is known of people, by their `channel:id`", inCode: "It stands in the prompt when they speak." },
  ),
};
