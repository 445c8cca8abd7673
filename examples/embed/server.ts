import { DatabaseSync } from "node:sqlite";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import * as v from "valibot";
import { createAssistant, defineTool } from "wakeful";
import { offlineModel } from "wakeful/models/offline";
import { sqliteStore } from "wakeful/storage/sqlite";

// The host: an application with its own database and its own sign-in.
const database = new DatabaseSync("shop.db");
database.exec("CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, item TEXT, state TEXT)");
database.exec("INSERT OR IGNORE INTO orders VALUES (1, 'tea', 'shipped'), (2, 'cups', 'packed')");
const listOrders = database.prepare("SELECT id, item, state FROM orders");
const app = new Hono();
app.use("/assistant", bearerAuth({ token: process.env["SHOP_TOKEN"] ?? "change-me" }));

// The assistant: less than ten lines more.
const execute = () => listOrders.all();
const orders = defineTool({ description: "Lists the orders", inputSchema: v.object({}), execute });
const store = await sqliteStore({ path: "assistant.db" });
const assistant = await createAssistant({ model: offlineModel(), store, tools: { orders } });
app.post("/assistant", async (context) => {
  const { text, customer } = await context.req.json<{ text: string; customer: string }>();
  return context.json(await assistant.send({ text, user: `shop:${customer}` }));
});

serve({ fetch: app.fetch, port: Number(process.env["PORT"] ?? 8787) });
