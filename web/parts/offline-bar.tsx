/** Says that there is no connection, for as long as there is none. */
import { isOffline } from "../lib/connection.js";

export const OfflineBar = () => (
  <div role="status">
    {isOffline.value && <p class="OfflineBar">There is no connection. What you write is kept in this browser.</p>}
  </div>
);
