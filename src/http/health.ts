/** `/healthz`: the process serves. `/readyz`: and the database answers, and it is not about to stop. */
import { Router } from "express";
import type { Board } from "../board.js";

export function health(board: Board, server: { readonly isLeaving: boolean }): Router {
  const router = Router();
  router.get("/healthz", (_request, response) => {
    response.json({ status: "ok" });
  });
  router.get("/readyz", async (_request, response) => {
    const fault = server.isLeaving ? "stopping" : (await board.isReady()) ? null : "database unavailable";
    if (fault) response.set("Retry-After", "5");
    response.status(fault ? 503 : 200).json({ status: fault ?? "ok" });
  });
  return router;
}
