import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { dataFolder, sweep } from "./portal";

export interface Mail {
  to: string;
  subject: string;
  /** The plain text part. */
  text: string;
}

/** Every mail that the portal has delivered to an address, in no order. */
export function mailsTo(address: string): Mail[] {
  const folder = join(dataFolder(), "mail");
  // Made with the first mail.
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".eml"))
    .map((name) => parsed(readFileSync(join(folder, name), "utf8")))
    .filter((mail) => mail.to.toLowerCase() === address.toLowerCase());
}

/** The first link in a mail to the address whose path begins so; sends what waits. */
export async function mailedLink(address: string, path: string): Promise<string> {
  const find = () => {
    const words = mailsTo(address).flatMap(({ text }) => text.match(/https?:\/\/\S+/g) ?? []);
    const links = words.map((word) => new URL(word));
    return links.find((link) => link.pathname.startsWith(path));
  };
  sweep("mails");
  await expect.poll(find, { message: `a mail to ${address}`, timeout: 60_000 }).toBeTruthy();
  const { pathname, search, hash } = find() as URL;
  return pathname + search + hash;
}

function parsed(source: string): Mail {
  const lines = source.replace(/\r\n/g, "\n");
  const end = lines.indexOf("\n\n");
  const head = lines.slice(0, end).replace(/\n[ \t]+/g, " ");
  const header = (name: string) =>
    head.match(new RegExp(`^${name}: (.*)$`, "im"))?.[1]?.trim() ?? "";
  const plain = lines
    .slice(end)
    .split(/^--.*$/m)
    .find((part) => /text\/plain/i.test(part));
  const [partHead = "", ...body] = (plain ?? lines).trimStart().split("\n\n");
  const encoding = partHead.match(/transfer-encoding: *(\S+)/i)?.[1]?.toLowerCase();
  return {
    to: header("To"),
    subject: header("Subject"),
    text: decoded(body.join("\n\n"), encoding),
  };
}

function decoded(text: string, encoding: string | undefined): string {
  if (encoding === "base64") return Buffer.from(text, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return text;
  const bytes = text
    .replace(/=\n/g, "")
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
