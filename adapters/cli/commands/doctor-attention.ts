import { DEFAULT_QUIET_HOURS, messageOf } from "../../../kit.ts";
import { isBegun } from "../data-place.ts";
import { withSource } from "../remote.ts";
import type { Settings } from "../settings.ts";
import type { Terminal } from "../terminal.ts";
import type { Row } from "./doctor-row.ts";
import { zoneOf } from "./notifications.ts";

/** The owner's quiet times, and how many notices wait. */
export async function attentionRows(
  settings: Settings,
  token: string | undefined,
  terminal: Terminal,
): Promise<readonly Row[]> {
  const check = "attention";
  const { enabled = true, quietHours = DEFAULT_QUIET_HOURS } = settings.config.attention ?? {};
  if (!enabled) return [{ check, state: "ok", what: "switched off: unsolicited messages are sent at once" }];
  const [from, to] = quietHours;
  const quiet = from === to ? "no quiet hours" : `quiet from ${from} to ${to}`;
  const rules = `${quiet} in ${zoneOf(settings)}`;
  if (!isBegun(settings, terminal.cwd)) return [{ check, state: "ok", what: rules }];
  try {
    const found = await withSource(
      settings,
      terminal,
      { token },
      ({ notifications }) => notifications.attention(undefined),
      { asks: true },
    );
    const { held, muted_until: mutedUntil } = found;
    const muted = mutedUntil === null ? "" : `, muted until ${mutedUntil}`;
    return [{ check, state: "ok", what: `${rules}${muted}; ${held.length === 0 ? "nothing" : held.length} held` }];
  } catch (error) {
    return [{ check, state: "warn", what: `cannot be determined: ${messageOf(error)}`, remedy: "see the row storage" }];
  }
}
