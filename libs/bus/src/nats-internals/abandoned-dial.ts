import { NodeTransport } from 'nats/lib/src/node_transport.js'

/**
 * nats.js 2.29.3 leaves the socket of an attempt open when a frozen server did not answer it in time
 * (`lib/src/node_transport.js`, line 424: `_closed` ignores attempts that are not connected). When the server thaws
 * and later closes the unauthenticated connection, the library mistakes that for the loss of its live connection
 * and opens a second one: for a minute, half of the answers leave by a connection that may not send them.
 *
 * This destroys the socket, which ends the attempt.
 * @param Transport affects the attempts of every connection of this process
 */
export function closeAbandonedDials(Transport = NodeTransport): void {
  const { close } = Transport.prototype
  Transport.prototype.close = function letGo(this: NodeTransport, error?: Error) {
    if (!this.connected) {
      this.done = true
      this.socket?.destroy()
    }
    return close.call(this, error)
  }
}
