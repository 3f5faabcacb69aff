/** Paths below the base URL that other modules than the routes themselves need. */
export { PORTAL_PATH } from '../../accounts/links.ts'

export const API_ROOT = '/general/api/v1'
/** Shows the messages of sandbox connections and of the service itself, while the sandbox is on. */
export const MAILBOX_PATH = '/general/sandbox/mailbox'
