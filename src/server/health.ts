/** `/healthz`: the process serves. `/readyz`: and the database answers. */
import { Router } from "express";
import type { Board } from "../board.js";

export function health(board: Board): Router {
  const router = Router();
  router.get("/healthz", (_request, response) => {
    response.json({ status: "ok" });
  });
  router.get("/readyz", async (_request, response) => {
    const ready = await board.isReady();
    if (!ready) response.set("Retry-After", "5");
    response.status(ready ? 200 : 503).json({ status: ready ? "ok" : "database unavailable" });
  });
  return router;
}
