/**
 * All text that newsletter recipients see: on the pages behind links and forms, and in the confirmation message. One
 * file for each language. Names and addresses are inserted as plain text; pages escape them.
 */
export interface Words {
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
  left: [title: string, text: (names: string) => string]
  preferences: {
    title: string
    text(address: string): string
    legend: string
    pending: string
    none: string
    save: string
    leave: string
    saved: string
    blocked: string
    out: string
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
}
