export const ADMIN_API_KEY = 'the-operator-key-of-the-tests';

/** What tests ask comes from one address, in no time. */
export const WITHOUT_LIMITS = {
  RUNTIME_REQUESTS_PER_MINUTE: '0',
  MANAGEMENT_REQUESTS_PER_MINUTE: '0',
  DECLARATIONS_PER_HOUR: '0',
  FAILED_AUTHENTICATIONS_PER_MINUTE: '0',
};
