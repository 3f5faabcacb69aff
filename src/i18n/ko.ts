import type { Translations } from './translations.ts'

export const ko: Translations = {
  lang: 'ko',
  not_found: [
    '이 링크는 작동하지 않습니다',
    '링크가 완전하지 않거나 전달 과정에서 변경되었습니다. 메일에서 다시 열어 주세요.',
  ],
  gone: ['더 이상 사용할 수 없는 링크입니다', '이메일 주소가 더 이상 보관되어 있지 않으므로 따로 하실 일은 없습니다.'],
  failed: ['문제가 발생했습니다', '잠시 후 다시 시도해 주세요.'],
  test_message: ['테스트 메일이었습니다', '메일에 있는 링크를 열어도 아무것도 변경되지 않습니다.'],
  confirm: {
    title: '구독 확인',
    text: (names, address) => `구독을 확인하시면 ${names}의 메일이 ${address} 주소로 발송됩니다.`,
    button: '구독 확인하기',
    hint: '직접 신청하지 않으셨다면 이 페이지를 닫아 주세요. 확인하지 않으시면 아무것도 발송되지 않습니다.',
  },
  confirmed: ['구독이 완료되었습니다', (names) => `감사합니다. 앞으로 ${names}의 메일을 보내 드리겠습니다.`],
  nothing_to_confirm: ['확인할 내용이 없습니다', '구독이 이미 확인되었거나 그 후에 수신을 거부하셨습니다.'],
  unsubscribe: {
    title: '수신 거부',
    text: (address) => `${address} 주소로 더 이상 받지 않을 메일을 선택해 주세요.`,
    lists: (names) => `${names} 수신 거부`,
    everything: '모든 메일 수신 거부',
    preferences: '대신 받을 목록 선택하기',
  },
  unsubscribed: ['수신 거부가 완료되었습니다', (address) => `앞으로 ${address} 주소로 메일이 발송되지 않습니다.`],
  unsubscribed_lists: ['수신 거부가 완료되었습니다', (names) => `앞으로 ${names}의 메일이 발송되지 않습니다.`],
  preferences: {
    title: '수신 설정',
    text: (address) => `${address} 주소로 받을 메일을 선택해 주세요.`,
    legend: '목록',
    pending: '확인을 기다리고 있습니다. 지금 확인하려면 선택해 주세요.',
    none: '선택할 수 있는 목록이 없습니다.',
    save: '저장',
    unsubscribe_all: '모든 메일 수신 거부',
    saved: '선택하신 내용이 저장되었습니다.',
    blocked: '이 주소로는 메일 발송이 차단되어 있어 구독할 수 없었습니다. 발신자에게 문의해 주세요.',
    unsubscribed: '모든 메일의 수신을 거부하신 상태입니다. 다시 받으시려면 목록을 선택하고 저장해 주세요.',
  },
  forms: {
    sent: ['감사합니다', '메시지가 전송되었습니다.'],
    signed_up: ['감사합니다', '확인이 필요한 경우 확인 메일이 곧 메일함에 도착합니다.'],
    refused: [
      '전송되지 않았습니다',
      '빠졌거나 올바르지 않은 항목이 있습니다. 이전 페이지로 돌아가 입력하신 내용을 확인해 주세요.',
    ],
    too_many: ['잠시만 기다려 주세요', '전송 횟수가 너무 많습니다. 1분 후에 다시 시도해 주세요.'],
    failed: ['문제가 발생했습니다', '잠시 후 다시 시도해 주세요.'],
  },
  confirmation: {
    subject: (project) => `${project} 구독을 확인해 주세요`,
    request: (project) => `${project}의 메일을 받겠다고 신청하셨습니다. 본인의 주소가 맞는지 확인해 주세요.`,
    button: '구독 확인하기',
    closing: '직접 신청하지 않으셨다면 아무것도 하지 않으셔도 됩니다. 확인하지 않으시면 아무것도 발송되지 않습니다.',
  },
  own_link: {
    title: '구독 관리',
    text: '이 메시지를 받는 주소를 입력하세요. 그 주소로 개인 링크를 보내 드립니다.',
    email: '이메일 주소',
    button: '링크 보내기',
    sent: '이 주소로 메시지를 보내고 있다면 링크가 곧 도착합니다.',
    subject: (project) => `${project} 구독 링크`,
    request: (project) =>
      `${project} 구독 링크를 요청하셨습니다. 링크를 열면 목록을 선택하거나 구독을 취소할 수 있습니다.`,
    closing: '요청하지 않으셨다면 아무것도 하지 않으셔도 됩니다. 변경된 것은 없습니다.',
  },
  email: { unsubscribe: '수신 거부', preferences: '수신 설정', view: '브라우저에서 보기', read_more: '더 읽기' },
}
