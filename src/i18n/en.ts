import type { Translations } from './translations.ts'

export const en: Translations = {
  lang: 'en',
  not_found: [
    'This link does not work',
    'It is not complete, or it was changed on its way. Please open it again from the message.',
  ],
  gone: ['This link has ended', 'Your address is no longer kept here, so there is nothing left to do.'],
  failed: ['Something went wrong', 'Please try again in a moment.'],
  test_message: ['This was a test message', 'Its links change nothing.'],
  confirm: {
    title: 'Confirm your subscription',
    text: (names, address) => `Messages of ${names} go to ${address} once you confirm it.`,
    button: 'Confirm my subscription',
    hint: 'If you did not ask for this, simply close the page: without your confirmation nothing is sent.',
  },
  confirmed: ['You are subscribed', (names) => `Thank you. You will receive the messages of ${names} from now on.`],
  nothing_to_confirm: [
    'There is nothing to confirm',
    'Your subscription was confirmed already, or you have left since then.',
  ],
  unsubscribe: {
    title: 'Unsubscribe',
    text: (address) => `Which messages should no longer go to ${address}?`,
    lists: (names) => `Unsubscribe from ${names}`,
    everything: 'Unsubscribe from everything',
    preferences: 'Choose your lists instead',
  },
  unsubscribed: ['You are unsubscribed', (address) => `No further messages will be sent to ${address}.`],
  unsubscribed_lists: ['You are unsubscribed', (names) => `You will no longer receive the messages of ${names}.`],
  preferences: {
    title: 'Your preferences',
    text: (address) => `Choose which messages go to ${address}.`,
    legend: 'Lists',
    pending: 'Waits for your confirmation; tick it to confirm now.',
    none: 'There are no lists to choose from.',
    save: 'Save',
    unsubscribe_all: 'Unsubscribe from everything',
    saved: 'Your choice was saved.',
    blocked: 'Messages to this address are blocked, so a list could not be joined. Please ask the sender.',
    unsubscribed: 'You are unsubscribed from everything. Tick a list and save to receive it again.',
  },
  forms: {
    sent: ['Thank you', 'Your message was sent.'],
    signed_up: ['Thank you', 'If a confirmation is needed, it is on its way to your mailbox.'],
    refused: [
      'This was not sent',
      'Something is missing or is not right. Please go back and look at what you entered.',
    ],
    too_many: ['Please wait a moment', 'This was sent too often. Try again in a minute.'],
    failed: ['Something went wrong', 'Please try again in a moment.'],
  },
  confirmation: {
    subject: (project) => `Please confirm your subscription to ${project}`,
    request: (project) => `You asked to receive messages from ${project}. Please confirm that this is your address.`,
    button: 'Confirm my subscription',
    closing: 'If you did not ask for this, you need do nothing: without your confirmation nothing will be sent.',
  },
  sign_up: { first_name: 'First name', last_name: 'Last name', button: 'Subscribe' },
  own_link: {
    title: 'Manage your subscription',
    text: 'Enter the address that receives these messages. We send a personal link to it.',
    email: 'Email address',
    button: 'Send me the link',
    sent: 'If this address receives our messages, the link is on its way to it.',
    subject: (project) => `Your link for ${project}`,
    request: (project) =>
      `You asked for the link to your subscription to ${project}. It opens the page on which you choose lists or unsubscribe.`,
    closing: 'If you did not ask for this, you need do nothing. Nothing has changed.',
  },
  letters: { title: 'Sent letters', older: 'Older', newer: 'Newer', none: 'Nothing has been sent yet.' },
  email: { unsubscribe: 'Unsubscribe', preferences: 'Preferences', view: 'View in browser', read_more: 'Read more' },
}
