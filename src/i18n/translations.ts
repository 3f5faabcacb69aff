/**
 * All text that recipients and visitors see and that no project wrote: the pages behind links and forms, the question
 * for consent, the messages about subscriptions and forms, and the footer of letters. One file for each language, and
 * `form-questions.ts` for the fields of sign-up forms. Names and addresses are inserted as plain text; pages escape them.
 */
export interface Translations {
  /** BCP 47. */
  lang: string
  not_found: [title: string, text: string]
  gone: [title: string, text: string]
  failed: [title: string, text: string]
  test_message: [title: string, text: string]
  confirm: { title: string; text(names: string, address: string): string; button: string; hint: string }
  confirmed: [title: string, text: (names: string) => string]
  nothing_to_confirm: [title: string, text: string]
  unsubscribe: {
    title: string
    text(address: string): string
    lists(names: string): string
    everything: string
    preferences: string
  }
  unsubscribed: [title: string, text: (address: string) => string]
  /** After unsubscribing from some lists. */
  unsubscribed_lists: [title: string, text: (names: string) => string]
  preferences: {
    title: string
    text(address: string): string
    legend: string
    pending: string
    none: string
    save: string
    unsubscribe_all: string
    saved: string
    blocked: string
    /** For a recipient who is unsubscribed from everything. */
    unsubscribed: string
  }
  /** After a site's form was sent without a `return_url`. */
  forms: {
    sent: [title: string, text: string]
    signed_up: [title: string, text: string]
    refused: [title: string, text: string]
    too_many: [title: string, text: string]
    failed: [title: string, text: string]
  }
  /** The double opt-in message, where the project's settings have no text of their own. */
  confirmation: {
    subject(project: string): string
    request(project: string): string
    button: string
    closing: string
  }
  /** The form of a sign-up page; its title and wording are the project's. */
  sign_up: { button: string }
  /** The page that asks for an address and sends the personal link to it, and the message with the link. */
  own_link: {
    title: string
    text: string
    email: string
    button: string
    /** Said whether the address is known or not. */
    sent: string
    subject(project: string): string
    request(project: string): string
    closing: string
  }
  /** The public archive of what was sent. */
  letters: { title: string; older: string; newer: string; none: string }
  /** In a campaign's message: the links of the footer, and the link below the beginning of a post. */
  email: { unsubscribe: string; preferences: string; view: string; read_more: string }
  /** Where a site asks for consent, and its settings have no text of their own. */
  consent: Record<
    | 'label'
    | 'question'
    | 'accept'
    | 'decline'
    | 'choose'
    | 'save'
    | 'reopen'
    | 'privacy'
    | 'functional'
    | 'functional_purpose'
    | 'analytics'
    | 'analytics_purpose'
    | 'advertising'
    | 'advertising_purpose',
    string
  >
  /** The message that tells members what forms received. */
  form_notice: {
    entries(count: string): string
    more(count: string): string
    button: string
    closing(project: string): string
  }
}
