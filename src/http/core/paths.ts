/** Addresses below the base URL that more than the routes themselves have to know. */
export { PORTAL_PATH } from '../../accounts/links.ts'
/** Where the messages of sandbox connections and of the service itself can be read, while the sandbox is on. */
export const MAILBOX_PATH = '/general/sandbox/mailbox'
