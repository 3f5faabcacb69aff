import type { Translations } from './translations.ts'

export const vi: Translations = {
  lang: 'vi',
  not_found: [
    'Liên kết này không hoạt động',
    'Liên kết không đầy đủ hoặc đã bị thay đổi trên đường đi. Vui lòng mở lại từ thư.',
  ],
  gone: [
    'Liên kết này không còn hiệu lực',
    'Địa chỉ của bạn không còn được lưu tại đây nên bạn không cần làm gì thêm.',
  ],
  failed: ['Đã xảy ra lỗi', 'Vui lòng thử lại sau giây lát.'],
  test_message: ['Đây là thư thử nghiệm', 'Các liên kết trong thư không làm thay đổi điều gì.'],
  confirm: {
    title: 'Xác nhận đăng ký',
    text: (names, address) => `Sau khi bạn xác nhận, thư của ${names} sẽ được gửi đến ${address}.`,
    button: 'Xác nhận đăng ký',
    hint: 'Nếu bạn không yêu cầu điều này, chỉ cần đóng trang: không có thư nào được gửi nếu bạn chưa xác nhận.',
  },
  confirmed: ['Bạn đã đăng ký thành công', (names) => `Cảm ơn bạn. Từ bây giờ, bạn sẽ nhận được thư của ${names}.`],
  nothing_to_confirm: [
    'Không có gì cần xác nhận',
    'Đăng ký của bạn đã được xác nhận trước đó, hoặc bạn đã hủy đăng ký kể từ khi ấy.',
  ],
  unsubscribe: {
    title: 'Hủy đăng ký',
    text: (address) => `Bạn không muốn những thư nào tiếp tục được gửi đến ${address}?`,
    lists: (names) => `Hủy đăng ký ${names}`,
    everything: 'Hủy đăng ký tất cả',
    preferences: 'Chọn danh sách muốn nhận',
  },
  unsubscribed: ['Bạn đã hủy đăng ký', (address) => `Sẽ không còn thư nào được gửi đến ${address}.`],
  unsubscribed_lists: ['Bạn đã hủy đăng ký', (names) => `Bạn sẽ không còn nhận được thư của ${names}.`],
  preferences: {
    title: 'Tùy chọn của bạn',
    text: (address) => `Chọn những thư được gửi đến ${address}.`,
    legend: 'Danh sách',
    pending: 'Đang chờ bạn xác nhận; hãy đánh dấu để xác nhận ngay.',
    none: 'Không có danh sách nào để chọn.',
    save: 'Lưu',
    unsubscribe_all: 'Hủy đăng ký tất cả',
    saved: 'Lựa chọn của bạn đã được lưu.',
    blocked:
      'Việc gửi thư đến địa chỉ này đã bị chặn nên không thể đăng ký vào danh sách. Vui lòng liên hệ với người gửi.',
    unsubscribed: 'Bạn đã hủy đăng ký tất cả. Để nhận thư trở lại, hãy đánh dấu một danh sách rồi lưu.',
  },
  forms: {
    sent: ['Cảm ơn bạn', 'Tin nhắn của bạn đã được gửi.'],
    signed_up: ['Cảm ơn bạn', 'Nếu cần xác nhận, thư xác nhận đang được gửi đến hộp thư của bạn.'],
    refused: [
      'Chưa gửi được',
      'Có thông tin còn thiếu hoặc chưa đúng. Vui lòng quay lại và kiểm tra nội dung bạn đã nhập.',
    ],
    too_many: ['Vui lòng đợi một lát', 'Biểu mẫu đã được gửi quá nhiều lần. Hãy thử lại sau một phút.'],
    failed: ['Đã xảy ra lỗi', 'Vui lòng thử lại sau giây lát.'],
  },
  confirmation: {
    subject: (project) => `Vui lòng xác nhận đăng ký nhận thư của ${project}`,
    request: (project) => `Bạn đã yêu cầu nhận thư của ${project}. Vui lòng xác nhận rằng đây là địa chỉ của bạn.`,
    button: 'Xác nhận đăng ký',
    closing: 'Nếu bạn không yêu cầu điều này, bạn không cần làm gì: không có thư nào được gửi nếu bạn chưa xác nhận.',
  },
  sign_up: { first_name: 'Tên', last_name: 'Họ', button: 'Đăng ký' },
  own_link: {
    title: 'Quản lý đăng ký của bạn',
    text: 'Nhập địa chỉ nhận các thư này. Chúng tôi sẽ gửi một liên kết riêng đến đó.',
    email: 'Địa chỉ email',
    button: 'Gửi liên kết',
    sent: 'Nếu địa chỉ này nhận thư của chúng tôi, liên kết đang được gửi đến.',
    subject: (project) => `Liên kết của bạn cho ${project}`,
    request: (project) =>
      `Bạn đã yêu cầu liên kết đến đăng ký ${project}. Liên kết mở trang để bạn chọn danh sách hoặc hủy đăng ký.`,
    closing: 'Nếu bạn không yêu cầu điều này, bạn không cần làm gì. Không có gì thay đổi.',
  },
  letters: { title: 'Thư đã gửi', older: 'Cũ hơn', newer: 'Mới hơn', none: 'Chưa có gì được gửi.' },
  email: { unsubscribe: 'Hủy đăng ký', preferences: 'Tùy chọn', view: 'Xem trong trình duyệt', read_more: 'Đọc thêm' },
}
