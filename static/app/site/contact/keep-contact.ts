import { callKey } from '../../api/document.ts'
import type { Contact } from '../../api/operations.d.ts'
import { keepAnswer } from '../../api/query.ts'
import type { ContactAnswer } from './history.ts'

/** Shows a contact as a change has answered it, before its history is asked for again. */
export function keepContact(contact: Contact): void {
  keepAnswer<ContactAnswer>(callKey('contacts/get', { contact_id: contact.id }), (kept) => ({ ...kept!, contact }))
}
