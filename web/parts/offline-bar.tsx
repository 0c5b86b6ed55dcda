/** A bar that is shown while there is no connection. */
import { isOffline } from "../lib/connection.js";

export const OfflineBar = () => (
  <div role="status">
    {isOffline.value && <p class="OfflineBar">There is no connection. What you write is saved in this browser.</p>}
  </div>
);
