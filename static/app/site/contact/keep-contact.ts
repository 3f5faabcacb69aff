import { callKey } from '../../../../src/shared/app-document.ts'
import type { Contact } from '../../api/operations.d.ts'
import { keepAnswer } from '../../api/query.ts'
import type { ContactAnswer } from './history.ts'

/** Caches the contact that a change returned, before the page loads its history again. */
export function keepContact(contact: Contact): void {
  keepAnswer<ContactAnswer>(callKey('contacts/get', { contact_id: contact.id }), (kept) => ({ ...kept!, contact }))
}
