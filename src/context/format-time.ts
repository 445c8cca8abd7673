/** A zone's clock and what it said last. */
interface ZoneText {
  read(nowMs: number): string;
  minute: number;
  text: string;
}

const zones = new Map<string, ZoneText>();

/** As `Sat 2026-11-21 23:50 Europe/Stockholm`. Formatting takes several microseconds, so a minute's text is made once. */
export function formatTime(nowMs: number, timezone: string): string {
  let zone = zones.get(timezone);
  if (!zone) {
    zone = { read: timezone === "UTC" ? readUtc : reader(timezone), minute: NaN, text: "" };
    zones.set(timezone, zone);
  }
  const minute = Math.floor(nowMs / 60_000);
  if (zone.minute !== minute) {
    zone.text = `${zone.read(nowMs)} ${timezone}`;
    zone.minute = minute;
  }
  return zone.text;
}

/** The first formatter of a process loads the runtime's tables of zones and languages, 10 to 20 ms, which the default zone can do without. */
function readUtc(nowMs: number): string {
  const date = new Date(nowMs);
  const [weekday] = date.toUTCString().split(",");
  const [day, time = ""] = date.toISOString().split("T");
  return `${weekday} ${day} ${time.slice(0, "23:50".length)}`;
}

function reader(timezone: string): (nowMs: number) => string {
  const formatter = new Intl.DateTimeFormat("en-GB", {
    timeZone: timezone,
    weekday: "short",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return (nowMs) => {
    const parts = Object.fromEntries(formatter.formatToParts(nowMs).map(({ type, value }) => [type, value]));
    return `${parts["weekday"]} ${parts["year"]}-${parts["month"]}-${parts["day"]} ${parts["hour"]}:${parts["minute"]}`;
  };
}
