/**
 * The requests and answers of the API, generated from its OpenAPI document by `npm run sdk-types`.
 * Do not edit it.
 */

export type HealthAnswer = {
  status: 'ok' | 'error';
  version: string;
  uptime_s: number;
  /**
   * By name: `ok`; `down`, or `down: ` and why; `unknown` where the database would have to say it;
   * any other text describes a problem that causes no 503.
   */
  checks: {
    [name: string]: string;
  };
};

/** the stable code of the cause: decide by it, not by `message`. Further codes can be added. */
export type ErrorReason =
  | 'account_being_opened'
  | 'address_not_allowed'
  | 'alias_differs'
  | 'amount_above'
  | 'amount_below'
  | 'amount_not_price'
  | 'amount_not_whole_naira'
  | 'amount_of_no_plan'
  | 'amount_out_of_range'
  | 'arguments_invalid'
  | 'availability_unknown'
  | 'bank_silent'
  | 'batch_column_missing'
  | 'batch_column_repeated'
  | 'batch_ended'
  | 'batch_file_unreadable'
  | 'batch_has_duplicates'
  | 'batch_not_covered'
  | 'batch_not_started'
  | 'batch_rows_full'
  | 'batch_rows_invalid'
  | 'bill_plan_of_other_network'
  | 'bill_plan_of_other_product'
  | 'bill_plan_unknown'
  | 'body_incomplete'
  | 'body_key_not_allowed'
  | 'body_missing'
  | 'body_not_json'
  | 'body_not_utf8'
  | 'body_too_deep'
  | 'body_too_large'
  | 'body_too_many_members'
  | 'card_not_available'
  | 'card_plan_unknown'
  | 'channel_missing'
  | 'channel_not_offered'
  | 'content_type_malformed'
  | 'content_type_missing'
  | 'credential_unconfirmed'
  | 'credentials_full'
  | 'cursor_malformed'
  | 'cursor_of_other_statement'
  | 'customer_malformed'
  | 'customer_not_verified'
  | 'customer_rejected'
  | 'data_plan_missing'
  | 'data_plan_of_other_network'
  | 'data_plan_unknown'
  | 'database_away'
  | 'day_malformed'
  | 'days_reversed'
  | 'destination_malformed'
  | 'destination_missing'
  | 'email_taken'
  | 'endpoint_disabled'
  | 'endpoint_url_refused'
  | 'endpoints_full'
  | 'esim_plan_unknown'
  | 'event_cursor_expired'
  | 'event_cursor_unknown'
  | 'event_polls_full'
  | 'event_type_unknown'
  | 'expectation_unsupported'
  | 'face_value_malformed'
  | 'face_value_out_of_range'
  | 'field_invalid'
  | 'field_missing'
  | 'field_repeated'
  | 'file_invalid'
  | 'file_not_taken'
  | 'form_malformed'
  | 'form_too_large'
  | 'funding_account_refused'
  | 'funding_not_enabled'
  | 'headers_too_large'
  | 'host_missing'
  | 'insufficient_funds'
  | 'look_ups_full'
  | 'merchant_codes_limited'
  | 'merchant_not_own'
  | 'merchant_suspended'
  | 'merchant_unknown'
  | 'messages_not_single'
  | 'method_not_allowed'
  | 'mtn_balances_unknown'
  | 'network_unknown'
  | 'network_without_customers'
  | 'no_bank'
  | 'no_batch'
  | 'no_endpoint'
  | 'no_exchange_rate'
  | 'no_funding_account'
  | 'no_provider'
  | 'no_such_voucher'
  | 'no_wallet'
  | 'no_wallet_to_pay'
  | 'no_webhook_delivery'
  | 'not_an_adult'
  | 'not_authenticated'
  | 'not_received'
  | 'not_sent'
  | 'notice_not_signed'
  | 'number_malformed'
  | 'order_not_served'
  | 'order_unknown'
  | 'origin_not_allowed'
  | 'outcome_unknown'
  | 'over_daily_cap'
  | 'over_purchase_cap'
  | 'page_too_deep'
  | 'path_malformed'
  | 'path_unknown'
  | 'phone_malformed'
  | 'phone_missing'
  | 'plan_above_voucher'
  | 'plan_named_twice'
  | 'product_not_enabled'
  | 'provider_look_ups_full'
  | 'provider_refused'
  | 'providers_busy'
  | 'purchase_not_stored'
  | 'purchase_unknown'
  | 'purchases_full'
  | 'purchases_locked'
  | 'purchases_not_allowed'
  | 'qr_code_never'
  | 'qr_code_not_ready'
  | 'qr_codes_full'
  | 'query_malformed'
  | 'rate_limited'
  | 'reference_not_single'
  | 'reference_used'
  | 'registrant_missing'
  | 'registration_refused'
  | 'request_malformed'
  | 'request_too_slow'
  | 'requests_full'
  | 'selling_paused'
  | 'stopping'
  | 'test_clock_ends'
  | 'test_credentials_only'
  | 'test_deposit_differs'
  | 'text_malformed'
  | 'time_malformed'
  | 'unexpected_error'
  | 'upload_stalled'
  | 'uploads_full'
  | 'voucher_code_malformed';

export type Refusal = {
  status: 'error';
  /** the HTTP status */
  code: number;
  reason: ErrorReason;
  /** for developers: its wording can change */
  message: string;
  /** where fields are at fault */
  errors?: Array<{
    field: string;
    reason: ErrorReason;
    message: string;
  }>;
  /** the purchase concerned, if there is one */
  data?: {
    internal_reference?: string;
    request_id?: string;
    status?: string;
    response_code?: string;
    /**
     * for a used reference: whether this request differs from the first purchase; absent if that is
     * unknown
     */
    differs?: boolean;
    /** the fields whose values differ from the first request */
    differing_fields?: string[];
    /**
     * the fields whose first values are no longer stored, such as personal data after its retention
     */
    uncompared_fields?: string[];
  };
};

export type AirtimeBody = {
  /** the code of your merchant profile; also accepted as merchant_code */
  merchant: string;
  /**
   * a Nigerian mobile number such as "08031234567" or "2348031234567"; also accepted as
   * customer_msisdn
   */
  msisdn: string;
  /** one of mtn, glo, airtel, 9mobile, as a string in any letter case */
  network: 'mtn' | 'glo' | 'airtel' | '9mobile';
  /**
   * your own unique key for this purchase, a string of 1 to 100 characters without control
   * characters or spaces around it; also accepted as client_request_id
   */
  request_ref: string;
  /**
   * an amount of naira as a string: digits with at most two decimals, from "10.00" to "500000.00"
   */
  amount: string;
  /** one of vtu, share_and_sell: how the network credits it; default vtu */
  kind?: 'vtu' | 'share_and_sell';
};

/**
 * why the purchase failed, as a stable code: decide by it, not by the message. Further codes can be
 * added.
 */
export type FailureReason =
  | 'provider_refused'
  | 'customer_rejected'
  | 'amount_out_of_range'
  | 'customer_not_verified'
  | 'insufficient_funds'
  | 'over_purchase_cap'
  | 'over_daily_cap'
  | 'not_received'
  | 'not_sent';

export type CreateAnswer = {
  status: 'success' | 'failed' | 'pending';
  /** 00 success, 01 failed, 02 pending */
  response_code: '00' | '01' | '02';
  response_message: string;
  data: {
    internal_reference: string;
    /** as it was sent */
    msisdn: string;
    product: string;
    /** the request_ref of the purchase */
    request_id: string;
    /** in its canonical spelling */
    network: string;
    /** naira with two decimals */
    amount: string;
    /** the plan as it was sent; empty for airtime */
    plan: string;
    /** the code of the plan that is sold; absent for airtime */
    plan_code?: string;
    merchant_id: number;
    /** RFC 3339; absent on pending async creates */
    created_at?: string;
    reason?: FailureReason;
    /** the message of the network or the biller */
    telco_message?: string;
    /** prepaid electricity: the recharge token */
    token?: string;
    /** prepaid electricity: the units bought */
    units?: string;
    /** prepaid electricity: a bonus token, if the company adds one */
    bonus_token?: string;
    /** first key change token, to be loaded before the token */
    kct1?: string;
    /** second key change token, to be loaded before the token */
    kct2?: string;
    /** set when the payment cleared a debt; then there is no token */
    payment_spent_on?: string;
    /** the customer's name at the biller */
    customer_name?: string;
    /** PINs, once they are available */
    pins?: Array<{
      /** its serial number, if it has one */
      serial?: string;
      /** the PIN */
      pin: string;
    }>;
  };
};

export type DataBody = {
  /** the code of your merchant profile; also accepted as merchant_code */
  merchant: string;
  /**
   * a Nigerian mobile number such as "08031234567" or "2348031234567"; also accepted as
   * customer_msisdn
   */
  msisdn: string;
  /** one of mtn, glo, airtel, 9mobile, as a string in any letter case */
  network: 'mtn' | 'glo' | 'airtel' | '9mobile';
  /**
   * your own unique key for this purchase, a string of 1 to 100 characters without control
   * characters or spaces around it; also accepted as client_request_id
   */
  request_ref: string;
  /** a plan code from the list of plans, as a string such as "MTN-1"; also accepted as plan */
  plan_code: string;
  /** an amount of naira as a string: digits with at most two decimals, above zero */
  amount: string;
};

export type AirtimeTransaction = {
  /** airtime, data, ELECTRICITY, CABLE, BETTING or EDUCATION */
  product: 'airtime';
  /** the code of your merchant profile; also accepted as merchant_code */
  merchant: string;
  /**
   * a Nigerian mobile number such as "08031234567" or "2348031234567"; also accepted as
   * customer_msisdn
   */
  msisdn: string;
  /** one of mtn, glo, airtel, 9mobile, as a string in any letter case */
  network: 'mtn' | 'glo' | 'airtel' | '9mobile';
  /**
   * your own unique key for this purchase, a string of 1 to 100 characters without control
   * characters or spaces around it; also accepted as client_request_id
   */
  request_ref: string;
  /**
   * an amount of naira as a string: digits with at most two decimals, from "10.00" to "500000.00"
   */
  amount: string;
  /** one of vtu, share_and_sell: how the network credits it; default vtu */
  kind?: 'vtu' | 'share_and_sell';
};

export type DataTransaction = {
  /** airtime, data, ELECTRICITY, CABLE, BETTING or EDUCATION */
  product: 'data';
  /** the code of your merchant profile; also accepted as merchant_code */
  merchant: string;
  /**
   * a Nigerian mobile number such as "08031234567" or "2348031234567"; also accepted as
   * customer_msisdn
   */
  msisdn: string;
  /** one of mtn, glo, airtel, 9mobile, as a string in any letter case */
  network: 'mtn' | 'glo' | 'airtel' | '9mobile';
  /**
   * your own unique key for this purchase, a string of 1 to 100 characters without control
   * characters or spaces around it; also accepted as client_request_id
   */
  request_ref: string;
  /** a plan code from the list of plans, as a string such as "MTN-1"; also accepted as plan */
  plan_code: string;
  /** an amount of naira as a string: digits with at most two decimals, above zero */
  amount: string;
};

export type ElectricityTransaction = {
  /** airtime, data, ELECTRICITY, CABLE, BETTING or EDUCATION */
  product: 'ELECTRICITY';
  /** the code of your merchant profile; also accepted as merchant_code */
  merchant: string;
  /**
   * the meter number, a string of 1 to 64 characters without control characters or spaces around
   * it; also accepted as customer_msisdn
   */
  msisdn: string;
  /** an electricity network such as "Ikeja Electric" or "EKEDC" */
  network: string;
  /**
   * the id of a plan from the list of bill plans, as a string such as "2001"; also accepted as plan
   */
  plan_code: string;
  /** an amount of naira as a string: digits with at most two decimals, above zero */
  amount: string;
  /**
   * your own unique key for this purchase, a string of 1 to 100 characters without control
   * characters or spaces around it; also accepted as client_request_id
   */
  request_ref: string;
  /** a Nigerian mobile number of the customer such as "08031234567" */
  phone?: string;
};

export type CableTransaction = {
  /** airtime, data, ELECTRICITY, CABLE, BETTING or EDUCATION */
  product: 'CABLE';
  /** the code of your merchant profile; also accepted as merchant_code */
  merchant: string;
  /**
   * the smartcard or IUC number, a string of 1 to 64 characters without control characters or
   * spaces around it; also accepted as customer_msisdn
   */
  msisdn: string;
  /** DSTV, GOTV or STARTIMES */
  network: string;
  /**
   * the id of a plan from the list of bill plans, as a string such as "2001"; also accepted as plan
   */
  plan_code: string;
  /** an amount of naira as a string: digits with at most two decimals, above zero */
  amount: string;
  /**
   * your own unique key for this purchase, a string of 1 to 100 characters without control
   * characters or spaces around it; also accepted as client_request_id
   */
  request_ref: string;
  /** a Nigerian mobile number of the customer such as "08031234567" */
  phone?: string;
};

export type BettingTransaction = {
  /** airtime, data, ELECTRICITY, CABLE, BETTING or EDUCATION */
  product: 'BETTING';
  /** the code of your merchant profile; also accepted as merchant_code */
  merchant: string;
  /**
   * the betting customer id, a string of 1 to 64 characters without control characters or spaces
   * around it; also accepted as customer_msisdn
   */
  msisdn: string;
  /** a betting network such as "BET9JA" */
  network: string;
  /**
   * the id of a plan from the list of bill plans, as a string such as "2001"; also accepted as plan
   */
  plan_code: string;
  /** an amount of naira as a string: digits with at most two decimals, above zero */
  amount: string;
  /**
   * your own unique key for this purchase, a string of 1 to 100 characters without control
   * characters or spaces around it; also accepted as client_request_id
   */
  request_ref: string;
  /** a Nigerian mobile number of the customer such as "08031234567" */
  phone: string;
};

export type EducationTransaction = {
  /** airtime, data, ELECTRICITY, CABLE, BETTING or EDUCATION */
  product: 'EDUCATION';
  /** the code of your merchant profile; also accepted as merchant_code */
  merchant: string;
  /**
   * the JAMB profile code, or for WAEC the mobile number of the buyer, a string of 1 to 64
   * characters without control characters or spaces around it; also accepted as customer_msisdn
   */
  msisdn: string;
  /** WAEC or JAMB */
  network: string;
  /**
   * the id of a plan from the list of bill plans, as a string such as "2001"; also accepted as plan
   */
  plan_code: string;
  /** an amount of naira as a string: digits with at most two decimals, above zero */
  amount: string;
  /**
   * your own unique key for this purchase, a string of 1 to 100 characters without control
   * characters or spaces around it; also accepted as client_request_id
   */
  request_ref: string;
  /** a Nigerian mobile number of the customer such as "08031234567" */
  phone?: string;
};

export type TransactionBody =
  | (AirtimeTransaction & { product: 'airtime' })
  | (DataTransaction & { product: 'data' })
  | (ElectricityTransaction & { product: 'ELECTRICITY' })
  | (CableTransaction & { product: 'CABLE' })
  | (BettingTransaction & { product: 'BETTING' })
  | (EducationTransaction & { product: 'EDUCATION' });

export type ListAnswer = {
  state: 'ok';
  result: {
    items: Array<{
      internal_reference: string;
      /** as it was sent */
      msisdn: string;
      product: string;
      /** the request_ref of the purchase */
      request_id: string;
      /** in its canonical spelling */
      network: string;
      /** naira with two decimals */
      amount: string;
      /** the plan as it was sent; empty for airtime */
      plan: string;
      /** the code of the plan that is sold; absent for airtime */
      plan_code?: string;
      merchant_id: number;
      status: 'success' | 'failed' | 'pending';
      /** 00 success, 01 failed, 02 pending */
      code: '00' | '01' | '02';
      /** YYYY-MM-DD HH:MM:SS in Africa/Lagos */
      created_at: string;
      /** YYYY-MM-DD HH:MM:SS in Africa/Lagos */
      updated_at: string;
      reason?: FailureReason;
      /** the sum of its refunds to the wallet, in naira with two decimals */
      refunded_amount?: string;
    }>;
    page_info: {
      /** with msisdn or product at most 10,001, which means more than 10,000 */
      total_items: number;
      page: number;
      page_size: number;
      /** the highest number for page: pages by number begin within the first 10,000 purchases */
      total_pages: number;
      /** the cursor of the next page; null on the last page */
      next_cursor: string | null;
    };
  };
};

export type VerifyBody = {
  /** the code of your merchant profile; also accepted as merchant_code */
  merchant: string;
  /**
   * the meter, smartcard, betting customer or JAMB profile number, a string of 1 to 64 characters
   * without control characters or spaces around it; also accepted as customer_msisdn
   */
  msisdn: string;
  /** a network of the product, such as "Ikeja Electric", "DSTV", "BET9JA" or "JAMB" */
  network: string;
  /** one of ELECTRICITY, CABLE, BETTING, EDUCATION, in any letter case */
  product: 'ELECTRICITY' | 'CABLE' | 'BETTING' | 'EDUCATION';
  /**
   * the id of a plan from the list of bill plans, as a string such as "2001"; also accepted as plan
   */
  plan_code?: string;
  /**
   * the legacy id of a plan, as a string such as "ikeja-electric-prepaid", sent in place of
   * plan_code
   */
  service_id?: string;
};

export type VerifyAnswer = {
  state: 'ok';
  code: '00';
  message: string;
  result: {
    product: 'ELECTRICITY' | 'CABLE' | 'BETTING' | 'EDUCATION';
    /** in its canonical spelling */
    network: string;
    /** as it was sent */
    msisdn: string;
    customer_name: string;
    /** electricity */
    customer_address?: string;
    /** electricity, cable and betting: the minimum that can be paid now, in naira */
    min_amount?: string;
    /** electricity, cable and betting: the maximum that can be paid now, in naira */
    max_amount?: string;
    /** electricity */
    meter_number?: string;
    /** electricity: the arrears in naira; they do not limit purchases */
    arrears?: string;
    /** electricity */
    account_type?: string;
    /** electricity */
    meter_type?: string;
    /** electricity */
    district?: string;
    /** electricity */
    business_unit?: string;
    /** electricity */
    district_reference?: string;
    /** electricity */
    tariff?: string;
    /** cable */
    current_bouquet?: string;
    /** cable: the price to renew the current bouquet, in naira */
    renewal_amount?: string;
    /** cable: until when the current bouquet is paid */
    due_date?: string;
    /** betting */
    customer_username?: string;
  };
};

export type StatusAnswer = {
  state: 'success' | 'failed' | 'pending';
  /** 00 success, 01 failed, 02 pending */
  code: '00' | '01' | '02';
  message: string;
  payload: {
    internal_reference: string;
    /** as it was sent */
    msisdn: string;
    product: string;
    /** the request_ref of the purchase */
    request_id: string;
    /** in its canonical spelling */
    network: string;
    /** naira with two decimals */
    amount: string;
    /** the plan as it was sent; empty for airtime */
    plan: string;
    /** the code of the plan that is sold; absent for airtime */
    plan_code?: string;
    merchant_id: number;
    /** gift cards and eSIMs: the title of the plan when it was ordered */
    product_title?: string;
    /** gift cards: how many were ordered */
    quantity?: number;
    merchant_name: string;
    /** YYYY-MM-DD HH:MM:SS in Africa/Lagos */
    created_at: string;
    /** YYYY-MM-DD HH:MM:SS in Africa/Lagos */
    updated_at: string;
    reason?: FailureReason;
    /** the message of the network or the biller */
    telco_message?: string;
    /** prepaid electricity: the recharge token */
    token?: string;
    /** prepaid electricity: the units bought */
    units?: string;
    /** prepaid electricity: a bonus token, if the company adds one */
    bonus_token?: string;
    /** first key change token, to be loaded before the token */
    kct1?: string;
    /** second key change token, to be loaded before the token */
    kct2?: string;
    /** set when the payment cleared a debt; then there is no token */
    payment_spent_on?: string;
    /** the customer's name at the biller */
    customer_name?: string;
    /** PINs, once they are available */
    pins?: Array<{
      /** its serial number, if it has one */
      serial?: string;
      /** the PIN */
      pin: string;
    }>;
    /** the provider's own reference, where it gave one */
    reference_code?: string;
    /** gift cards, once they are available: one for each that was ordered */
    cards?: Array<{
      /** the number or code on the card */
      card_number?: string;
      /** its PIN */
      pin?: string;
      /** the page on which to claim it */
      claim_url?: string;
      [name: string]: unknown;
    }>;
    /** eSIM, once it is issued */
    iccid?: string;
    /** eSIM: the code to type in by hand */
    activation_code?: string;
    /** eSIM: the SM-DP+ address */
    smdp_address?: string;
    /** eSIM: what the QR code says */
    lpa?: string;
    /** eSIM: how to install it */
    redemption_instructions?: string;
    /** the sum of its refunds to the wallet, in naira with two decimals */
    refunded_amount?: string;
  };
};

export type BatchesAnswer = {
  status: 'success';
  code: 200;
  message: string;
  data: {
    batches: Array<{
      id: string;
      name: string;
      /**
       * ready: valid, not started; running; paused; stopped; done: every row was bought or refused
       */
      state: 'ready' | 'running' | 'paused' | 'stopped' | 'done';
      /** why the gateway paused it; null where you did */
      pause_reason: 
        | 'insufficient_funds'
        | 'over_daily_cap'
        | 'credential_ended'
        | 'merchant_suspended'
        | 'product_not_enabled'
        | 'no_wallet_to_pay' | null;
      columns: Array<{
        head: string;
        /** the field that it was recognised as; null: the column is ignored */
        field: string | null;
      }>;
      rows: number;
      /** rows that repeat an earlier row of the file */
      duplicates: number;
      /** naira with two decimals */
      total_amount: string;
      /** naira with two decimals, as priced when it was uploaded */
      total_charge: string;
      /** RFC 3339 */
      created_at: string;
      /** RFC 3339 */
      updated_at: string;
    }>;
    next_cursor: string | null;
  };
};

export type BatchBody = {
  /**
   * the text of a CSV file, or cells pasted from a spreadsheet, with the names of the columns in
   * the first line
   */
  csv: string;
  /**
   * a name for people, a string of 1 to 100 characters without control characters or spaces around
   * it
   */
  name?: string;
};

export type BatchAnswer = {
  status: 'success';
  code: 200;
  message: string;
  data: {
    id: string;
    name: string;
    /**
     * ready: valid, not started; running; paused; stopped; done: every row was bought or refused
     */
    state: 'ready' | 'running' | 'paused' | 'stopped' | 'done';
    /** why the gateway paused it; null where you did */
    pause_reason: 
      | 'insufficient_funds'
      | 'over_daily_cap'
      | 'credential_ended'
      | 'merchant_suspended'
      | 'product_not_enabled'
      | 'no_wallet_to_pay' | null;
    columns: Array<{
      head: string;
      /** the field that it was recognised as; null: the column is ignored */
      field: string | null;
    }>;
    rows: number;
    /** rows that repeat an earlier row of the file */
    duplicates: number;
    /** naira with two decimals */
    total_amount: string;
    /** naira with two decimals, as priced when it was uploaded */
    total_charge: string;
    /** RFC 3339 */
    created_at: string;
    /** RFC 3339 */
    updated_at: string;
    /** rows by outcome */
    progress: {
      waiting: number;
      pending: number;
      success: number;
      failed: number;
      refused: number;
    };
    /** naira with two decimals: the charges of successes */
    spent: string;
    /** the available balance of the wallet now, in naira with two decimals */
    available: string;
  };
};

export type BatchChangeBody = {
  /** running, paused or stopped */
  state: 'running' | 'paused' | 'stopped';
  /** true to also buy rows that repeat an earlier row */
  allow_duplicates?: boolean;
};

export type BatchRowsAnswer = {
  status: 'success';
  code: 200;
  message: string;
  data: {
    rows: Array<{
      /** 1 is the first row below the headings */
      line: number;
      /** of its purchase */
      request_ref: string;
      product: string;
      network: string;
      msisdn: string;
      plan_code: string | null;
      /** the kind of airtime; null: the default kind */
      kind: 
        | 'direct'
        | 'sme'
        | 'sme2'
        | 'corporate_gifting'
        | 'gifting'
        | 'data_share'
        | 'vtu'
        | 'share_and_sell' | null;
      /** naira with two decimals */
      amount: string;
      /** naira with two decimals */
      charge: string;
      /** the first row that buys the same */
      duplicate_of: number | null;
      /**
       * the status of its purchase; waiting: not bought yet; refused: no purchase could be stored
       */
      status: 'waiting' | 'pending' | 'success' | 'failed' | 'refused';
      /** why it failed or was refused: a stable code */
      reason?: string;
      message: string;
      /** the message of the network or the biller */
      telco_message?: string;
      /** prepaid electricity: the recharge token */
      token?: string;
      /** prepaid electricity: the units bought */
      units?: string;
      /** prepaid electricity: a bonus token, if the company adds one */
      bonus_token?: string;
      /** first key change token, to be loaded before the token */
      kct1?: string;
      /** second key change token, to be loaded before the token */
      kct2?: string;
      /** set when the payment cleared a debt; then there is no token */
      payment_spent_on?: string;
      /** the customer's name at the biller */
      customer_name?: string;
      /** PINs, once they are available */
      pins?: Array<{
        /** its serial number, if it has one */
        serial?: string;
        /** the PIN */
        pin: string;
      }>;
    }>;
    next_cursor: string | null;
  };
};

export type DataPlansAnswer = {
  status: '2000';
  description: string;
  data: Array<{
    /** what to send as plan_code */
    plan_code: string;
    /** catalog id (legacy) */
    id: number;
    name: string;
    description: string;
    /** naira; the amount to send */
    price: string;
    /** the network's own tariff id (legacy) */
    tarrifTypeId: string;
    validity: string;
    /** how much data */
    value: string;
    group: string;
    /** how the network sells it */
    kind: 'direct' | 'sme' | 'sme2' | 'corporate_gifting' | 'gifting' | 'data_share';
    /** also accepted as plan_code */
    shortCode: string;
  }>;
};

export type BillPlansAnswer = {
  status: '2000';
  description: string;
  data: Array<{
    /** what to send as plan_code */
    id: number;
    name: string;
    network: string;
    product: 'ELECTRICITY' | 'CABLE' | 'BETTING' | 'EDUCATION';
    /** fixed: the amount to send is the price; variable: you set it */
    amount_type: 'variable' | 'fixed';
    /** naira; of fixed plans only */
    price?: string;
  }>;
};

export type GiftCardCatalogAnswer = {
  status: 'success';
  code: 200;
  message: string;
  data: Array<{
    /** the purchase key */
    plan_id: number;
    title: string;
    brand: string;
    /** the country where it can be redeemed; absent if there are several */
    region?: string;
    ui_category: string;
    /** fixed cards: the value in currency_code */
    face_value?: number;
    /** variable cards: the lowest face_value */
    min_price?: number;
    /** variable cards: the highest face_value */
    max_price?: number;
    currency_code: string;
    /**
     * the price of one card in naira, for a variable card at min_price; absent without an exchange
     * rate
     */
    ngn_price?: string;
    /** false: send face_value with quote and order */
    fixed_price: boolean;
    featured: boolean;
  }>;
};

export type GiftCardQuoteAnswer = {
  status: 'success';
  code: 200;
  message: string;
  data: {
    plan_id: number;
    title: string;
    /** of one card */
    face_value: number;
    currency_code: string;
    /** the naira debit per card */
    ngn_price: string;
    /** the same as ngn_price */
    ngn_amount: string;
  };
};

export type GiftCardQuoteBody = {
  /** the plan_id of a gift card in the catalog, a whole number such as 300002 */
  plan_id: number;
  /**
   * the value of one card in the plan's currency, within min_price and max_price: above zero with
   * at most two decimals
   */
  face_value?: number | string;
};

export type AvailabilityAnswer = {
  status: 'success';
  code: 200;
  message: string;
  data: {
    available: boolean;
    detail: string;
    /** immediate, standard: can be bought; out_of_stock, preorder: an order is refused */
    fulfillment: 'immediate' | 'standard' | 'out_of_stock' | 'preorder';
  };
};

export type GiftCardOrderBody = {
  /**
   * your own unique key for this order, a string of 1 to 100 characters without control characters
   * or spaces around it
   */
  request_id: string;
  /** the plan_id of a gift card in the catalog, a whole number such as 300002 */
  plan_id: number;
  /** a whole number from 1 to 5; 1 when absent */
  quantity?: number;
  /**
   * the value of one card in the plan's currency, within min_price and max_price: above zero with
   * at most two decimals
   */
  face_value?: number | string;
  /** one of email, sms, whatsapp, in any letter case */
  send_via?: 'email' | 'sms' | 'whatsapp';
  /** the e-mail address or phone number that receives the card */
  destination?: string;
};

export type GiftCardOrderAnswer = {
  status: 'success' | 'failed' | 'pending';
  /** 00 success, 01 failed, 02 pending */
  response_code: '00' | '01' | '02';
  response_message: string;
  data: {
    request_id: string;
    product: string;
    internal_reference: string;
    product_title: string;
    /** the plan_id */
    plan: string;
    quantity?: number;
    /** the price for the wallet, in naira with two decimals */
    amount: string;
    merchant_id: number;
    /** RFC 3339 */
    created_at: string;
    reason?: FailureReason;
    /** the message of the provider */
    telco_message?: string;
    /** the provider's own reference, where it gave one */
    reference_code?: string;
    /** gift cards, once they are available: one for each that was ordered */
    cards?: Array<{
      /** the number or code on the card */
      card_number?: string;
      /** its PIN */
      pin?: string;
      /** the page on which to claim it */
      claim_url?: string;
      [name: string]: unknown;
    }>;
    /** eSIM, once it is issued */
    iccid?: string;
    /** eSIM: the code to type in by hand */
    activation_code?: string;
    /** eSIM: the SM-DP+ address */
    smdp_address?: string;
    /** eSIM: what the QR code says */
    lpa?: string;
    /** eSIM: how to install it */
    redemption_instructions?: string;
    /** the sum of its refunds to the wallet, in naira with two decimals */
    refunded_amount?: string;
  };
};

export type RedeemBody = {
  /**
   * your own unique key for this order, a string of 1 to 40 characters without control characters
   * or spaces around it
   */
  request_id: string;
  /** the code of one of your vouchers, such as "4F7K-9QXM-2D8H-B3TG" */
  code: string;
  /** absent or empty: a voucher has no PIN */
  pin?: string;
  /** ESIM: a voucher is redeemed into an eSIM */
  product: 'ESIM';
  /** the plan_id of an eSIM in the catalog, a string such as "NG-1GB-7D" */
  plan: string;
};

export type EsimOrderAnswer = {
  status: 'success' | 'failed' | 'pending';
  /** 00 success, 01 failed, 02 pending */
  response_code: '00' | '01' | '02';
  response_message: string;
  data: {
    request_id: string;
    product: string;
    internal_reference: string;
    product_title: string;
    /** the plan_id */
    plan: string;
    quantity?: number;
    /** the price for the wallet, in naira with two decimals */
    amount: string;
    merchant_id: number;
    /** RFC 3339 */
    created_at: string;
    reason?: FailureReason;
    /** the message of the provider */
    telco_message?: string;
    /** the provider's own reference, where it gave one */
    reference_code?: string;
    /** gift cards, once they are available: one for each that was ordered */
    cards?: Array<{
      /** the number or code on the card */
      card_number?: string;
      /** its PIN */
      pin?: string;
      /** the page on which to claim it */
      claim_url?: string;
      [name: string]: unknown;
    }>;
    /** eSIM, once it is issued */
    iccid?: string;
    /** eSIM: the code to type in by hand */
    activation_code?: string;
    /** eSIM: the SM-DP+ address */
    smdp_address?: string;
    /** eSIM: what the QR code says */
    lpa?: string;
    /** eSIM: how to install it */
    redemption_instructions?: string;
    /** the sum of its refunds to the wallet, in naira with two decimals */
    refunded_amount?: string;
  };
};

export type EsimCatalogAnswer = {
  status: 'success';
  code: 200;
  message: string;
  data: Array<{
    /** the purchase key */
    plan_id: string;
    title: string;
    /** two letters; empty if it serves more than one country */
    country: string;
    region: string;
    data_gb: number;
    duration_days: number;
    currency_code: string;
    /** the price in naira; absent without an exchange rate */
    ngn_price?: string;
  }>;
};

export type EsimPlanAnswer = {
  status: 'success';
  code: 200;
  message: string;
  data: {
    /** the purchase key */
    plan_id: string;
    title: string;
    /** two letters; empty if it serves more than one country */
    country: string;
    region: string;
    data_gb: number;
    duration_days: number;
    currency_code: string;
    /** the price in naira; absent without an exchange rate */
    ngn_price?: string;
  };
};

export type EsimQuoteAnswer = {
  status: 'success';
  code: 200;
  message: string;
  data: {
    plan_id: string;
    title: string;
    currency_code: string;
    /** the naira debit of an order now */
    ngn_amount: string;
  };
};

export type EsimOrderBody = {
  /**
   * your own unique key for this order, a string of 1 to 40 characters without control characters
   * or spaces around it
   */
  request_id: string;
  /** the plan_id of an eSIM in the catalog, a string such as "NG-1GB-7D" */
  plan_id: string;
};

export type BalanceAnswer = {
  state: 'ok';
  result: {
    merchant_id: number;
    currency: string;
    /** the balance of the wallet, including reserved money */
    balance: string;
    /** postpaid where credit_floor is below zero */
    billing_mode: 'prepaid' | 'postpaid';
    /** the lowest allowed balance of the wallet */
    credit_floor: string;
    /** reserved for pending purchases */
    held: string;
    /** the available amount: balance less held less credit_floor */
    available: string;
  };
};

export type MtnBalanceAnswer = {
  state: 'ok';
  result: {
    wallets: Array<{
      phone: string;
      balance: string;
      client_name: string;
    }>;
    /** the sum of the balances */
    total: string;
  };
};

export type StatementAnswer = {
  state: 'ok';
  result: {
    /** before the first day */
    opening_balance: string;
    /** after the last day, or now */
    closing_balance: string;
    items: Array<{
      /** RFC 3339 in Africa/Lagos */
      time: string;
      type: 'purchase' | 'refund' | 'deposit' | 'voucher' | 'correction' | 'other';
      /**
       * your request_ref of a purchase or of the refunded purchase, the bank’s reference of a
       * deposit
       */
      reference: string;
      internal_reference: string;
      /** negative if it left the wallet */
      amount: string;
      /** the balance of the wallet after it */
      balance: string;
    }>;
    /** null on the last page */
    next_cursor: string | null;
  };
};

export type FundingAccountAnswer = {
  state: 'ok';
  result: {
    /** ten digits; null while pending */
    account_number: string | null;
    /** the name that payers see; null while pending */
    account_name: string | null;
    /** the bank that holds it; null while pending */
    bank_name: string | null;
    currency: string;
    /** pending: the bank is opening it */
    status: 'active' | 'pending';
    id_document_uploaded: boolean;
    /** the fee that is deducted from each deposit */
    convenience_fee: string;
  };
};

/** a JSON object, or multipart/form-data */
export type FundingAccountBody = {
  /** one of NGN, USD, EUR, GBP, CAD, AED, in any letter case; NGN when absent */
  currency?: 'NGN' | 'USD' | 'EUR' | 'GBP' | 'CAD' | 'AED';
  /** the 11 digits of a BVN, as a string; required for NGN */
  bvn?: string;
  /** an e-mail address; required on first registration */
  email?: string;
  /**
   * the first name of the account holder, 1 to 50 characters without control characters or spaces
   * around it; required on first registration
   */
  first_name?: string;
  /**
   * the last name of the account holder, 1 to 50 characters without control characters or spaces
   * around it; required on first registration
   */
  last_name?: string;
  /**
   * a phone number such as "08031234567", or one that begins with + and the country code; required
   * on first registration
   */
  phone_number?: string;
  /** the birthday of an adult, as "YYYY-MM-DD" */
  date_of_birth?: string;
};

/** a JSON object, or multipart/form-data */
export type FundingAccountBodyForm = {
  /** one of NGN, USD, EUR, GBP, CAD, AED, in any letter case; NGN when absent */
  currency?: 'NGN' | 'USD' | 'EUR' | 'GBP' | 'CAD' | 'AED';
  /** the 11 digits of a BVN, as a string; required for NGN */
  bvn?: string;
  /** an e-mail address; required on first registration */
  email?: string;
  /**
   * the first name of the account holder, 1 to 50 characters without control characters or spaces
   * around it; required on first registration
   */
  first_name?: string;
  /**
   * the last name of the account holder, 1 to 50 characters without control characters or spaces
   * around it; required on first registration
   */
  last_name?: string;
  /**
   * a phone number such as "08031234567", or one that begins with + and the country code; required
   * on first registration
   */
  phone_number?: string;
  /** the birthday of an adult, as "YYYY-MM-DD" */
  date_of_birth?: string;
  /** a file in multipart/form-data: JPEG, PNG, WebP or PDF, at most 5 MB */
  id_card?: Blob;
};

export type PurchaseEvent = {
  /** the same in every delivery */
  id: string;
  type: 
    | 'transaction.success'
    | 'transaction.failed'
    | 'transaction.overdue'
    | 'order.success'
    | 'order.failed'
    | 'order.overdue';
  /** RFC 3339 */
  created_at: string;
  /** the status answer of the purchase, without goods such as tokens, PINs and cards */
  data: {
    state: 'success' | 'failed' | 'pending';
    /** 00 success, 01 failed, 02 pending */
    code: '00' | '01' | '02';
    message: string;
    payload: {
      internal_reference: string;
      /** as it was sent */
      msisdn: string;
      product: string;
      /** the request_ref of the purchase */
      request_id: string;
      /** in its canonical spelling */
      network: string;
      /** naira with two decimals */
      amount: string;
      /** the plan as it was sent; empty for airtime */
      plan: string;
      /** the code of the plan that is sold; absent for airtime */
      plan_code?: string;
      merchant_id: number;
      /** gift cards and eSIMs: the title of the plan when it was ordered */
      product_title?: string;
      /** gift cards: how many were ordered */
      quantity?: number;
      merchant_name: string;
      /** YYYY-MM-DD HH:MM:SS in Africa/Lagos */
      created_at: string;
      /** YYYY-MM-DD HH:MM:SS in Africa/Lagos */
      updated_at: string;
      reason?: FailureReason;
      /** the message of the network or the biller */
      telco_message?: string;
      /** prepaid electricity: the recharge token */
      token?: string;
      /** prepaid electricity: the units bought */
      units?: string;
      /** prepaid electricity: a bonus token, if the company adds one */
      bonus_token?: string;
      /** first key change token, to be loaded before the token */
      kct1?: string;
      /** second key change token, to be loaded before the token */
      kct2?: string;
      /** set when the payment cleared a debt; then there is no token */
      payment_spent_on?: string;
      /** the customer's name at the biller */
      customer_name?: string;
      /** PINs, once they are available */
      pins?: Array<{
        /** its serial number, if it has one */
        serial?: string;
        /** the PIN */
        pin: string;
      }>;
      /** the provider's own reference, where it gave one */
      reference_code?: string;
      /** gift cards, once they are available: one for each that was ordered */
      cards?: Array<{
        /** the number or code on the card */
        card_number?: string;
        /** its PIN */
        pin?: string;
        /** the page on which to claim it */
        claim_url?: string;
        [name: string]: unknown;
      }>;
      /** eSIM, once it is issued */
      iccid?: string;
      /** eSIM: the code to type in by hand */
      activation_code?: string;
      /** eSIM: the SM-DP+ address */
      smdp_address?: string;
      /** eSIM: what the QR code says */
      lpa?: string;
      /** eSIM: how to install it */
      redemption_instructions?: string;
      /** the sum of its refunds to the wallet, in naira with two decimals */
      refunded_amount?: string;
    };
  };
};

export type DeliveryEvent = {
  /** the same in every delivery */
  id: string;
  type: 'delivery.failed';
  /** RFC 3339 */
  created_at: string;
  data: {
    request_id: string;
    internal_reference: string;
    channel: string;
    /** refused, given_up, or unknown: it may have arrived */
    state: string;
    reason: string;
  };
};

export type DepositEvent = {
  /** the same in every delivery */
  id: string;
  type: 'deposit.credited';
  /** RFC 3339 */
  created_at: string;
  data: {
    deposit_id: string;
    currency: string;
    /** with two decimals */
    amount: string;
    /** with two decimals */
    fee: string;
    /** with two decimals */
    credited: string;
  };
};

export type WalletEvent = {
  /** the same in every delivery */
  id: string;
  type: 'wallet.low';
  /** RFC 3339 */
  created_at: string;
  data: {
    currency: string;
    /** with two decimals */
    available: string;
    /** with two decimals */
    threshold: string;
  };
};

export type VoucherEvent = {
  /** the same in every delivery */
  id: string;
  type: 'voucher.redeemed';
  /** RFC 3339 */
  created_at: string;
  data: {
    request_id: string;
    internal_reference: string;
    voucher_id: string;
    hint: string;
    /** with two decimals */
    value: string;
  };
};

export type CredentialEvent = {
  /** the same in every delivery */
  id: string;
  type: 'credential.expiring';
  /** RFC 3339 */
  created_at: string;
  data: {
    key: string;
    label: string;
    /** RFC 3339 */
    ends_at: string;
  };
};

export type EndpointEvent = {
  /** the same in every delivery */
  id: string;
  type: 'endpoint.failing' | 'endpoint.disabled';
  /** RFC 3339 */
  created_at: string;
  data: {
    endpoint_id: string;
    url: string;
    /** gone, failing, or the reason that was entered */
    reason: string;
    failing_since: string | null;
  };
};

export type EventsAnswer = {
  status: 'success';
  code: 200;
  message: string;
  data: Array<PurchaseEvent | DeliveryEvent | DepositEvent | WalletEvent | VoucherEvent | CredentialEvent | EndpointEvent>;
  /** where the next question begins: its after */
  cursor: string;
  /** more events may be available immediately */
  has_more: boolean;
};

export type EndpointBody = {
  /**
   * a URL such as "https://shop.example/webhooks", without control characters or spaces around it
   */
  url: string;
  /**
   * a list of some of transaction.success, transaction.failed, transaction.overdue, order.success,
   * order.failed, order.overdue, delivery.failed, deposit.credited, wallet.low, voucher.redeemed,
   * credential.expiring, endpoint.failing and endpoint.disabled; absent or empty: all
   */
  events?: Array<
    | 'transaction.success'
    | 'transaction.failed'
    | 'transaction.overdue'
    | 'order.success'
    | 'order.failed'
    | 'order.overdue'
    | 'delivery.failed'
    | 'deposit.credited'
    | 'wallet.low'
    | 'voucher.redeemed'
    | 'credential.expiring'
    | 'endpoint.failing'
    | 'endpoint.disabled'>;
  /** your own text, at most 200 characters without control characters or spaces around it */
  description?: string;
  /** true for payloads with goods, such as tokens, PINs and cards */
  include_goods?: boolean;
};

export type EndpointCreatedAnswer = {
  status: 'success';
  code: 200;
  message: string;
  data: {
    id: string;
    url: string;
    /** types of events; empty: all */
    events: string[];
    description: string;
    /** payloads have goods, such as tokens, PINs and cards */
    include_goods: boolean;
    /** the version of the payloads, which never changes for an endpoint */
    version: string;
    state: 'enabled' | 'disabled';
    /** gone (it answered 410), failing (every attempt failed for five days), or a reason */
    disabled_reason: string | null;
    /** since when every attempt has failed; null while it works */
    failing_since: string | null;
    /** how long the previous secret also signs */
    old_secret_ends_at: string | null;
    /** RFC 3339 */
    created_at: string;
    /** shown once: webhooks are signed with it */
    secret: string;
  };
};

export type EndpointsAnswer = {
  status: 'success';
  code: 200;
  message: string;
  data: Array<{
    id: string;
    url: string;
    /** types of events; empty: all */
    events: string[];
    description: string;
    /** payloads have goods, such as tokens, PINs and cards */
    include_goods: boolean;
    /** the version of the payloads, which never changes for an endpoint */
    version: string;
    state: 'enabled' | 'disabled';
    /** gone (it answered 410), failing (every attempt failed for five days), or a reason */
    disabled_reason: string | null;
    /** since when every attempt has failed; null while it works */
    failing_since: string | null;
    /** how long the previous secret also signs */
    old_secret_ends_at: string | null;
    /** RFC 3339 */
    created_at: string;
  }>;
};

export type EndpointChangeBody = {
  /**
   * a URL such as "https://shop.example/webhooks", without control characters or spaces around it
   */
  url?: string;
  /**
   * a list of some of transaction.success, transaction.failed, transaction.overdue, order.success,
   * order.failed, order.overdue, delivery.failed, deposit.credited, wallet.low, voucher.redeemed,
   * credential.expiring, endpoint.failing and endpoint.disabled; absent or empty: all
   */
  events?: Array<
    | 'transaction.success'
    | 'transaction.failed'
    | 'transaction.overdue'
    | 'order.success'
    | 'order.failed'
    | 'order.overdue'
    | 'delivery.failed'
    | 'deposit.credited'
    | 'wallet.low'
    | 'voucher.redeemed'
    | 'credential.expiring'
    | 'endpoint.failing'
    | 'endpoint.disabled'>;
  /** your own text, at most 200 characters without control characters or spaces around it */
  description?: string;
  /** true for payloads with goods, such as tokens, PINs and cards */
  include_goods?: boolean;
  /** enabled or disabled */
  state?: 'enabled' | 'disabled';
};

export type EndpointAnswer = {
  status: 'success';
  code: 200;
  message: string;
  data: {
    id: string;
    url: string;
    /** types of events; empty: all */
    events: string[];
    description: string;
    /** payloads have goods, such as tokens, PINs and cards */
    include_goods: boolean;
    /** the version of the payloads, which never changes for an endpoint */
    version: string;
    state: 'enabled' | 'disabled';
    /** gone (it answered 410), failing (every attempt failed for five days), or a reason */
    disabled_reason: string | null;
    /** since when every attempt has failed; null while it works */
    failing_since: string | null;
    /** how long the previous secret also signs */
    old_secret_ends_at: string | null;
    /** RFC 3339 */
    created_at: string;
  };
};

export type EndpointDeletedAnswer = {
  status: 'success';
  code: 200;
  message: string;
  data: {
    id: string;
    deleted: true;
  };
};

export type RotateBody = {
  /** a whole number of seconds from 0 to 604800 */
  overlap_s?: number;
};

export type EndpointRotatedAnswer = {
  status: 'success';
  code: 200;
  message: string;
  data: {
    id: string;
    url: string;
    /** types of events; empty: all */
    events: string[];
    description: string;
    /** payloads have goods, such as tokens, PINs and cards */
    include_goods: boolean;
    /** the version of the payloads, which never changes for an endpoint */
    version: string;
    state: 'enabled' | 'disabled';
    /** gone (it answered 410), failing (every attempt failed for five days), or a reason */
    disabled_reason: string | null;
    /** since when every attempt has failed; null while it works */
    failing_since: string | null;
    /** how long the previous secret also signs */
    old_secret_ends_at: string | null;
    /** RFC 3339 */
    created_at: string;
    /** shown once: webhooks are signed with it */
    secret: string;
  };
};

export type EndpointTestAnswer = {
  status: 'success';
  code: 200;
  message: string;
  data: {
    delivery_id: string;
    event_id: string;
  };
};

export type WebhookDeliveriesAnswer = {
  status: 'success';
  code: 200;
  message: string;
  data: Array<{
    id: string;
    endpoint_id: string;
    event_id: string;
    /** the type of the event, or endpoint.test */
    event_type: string;
    /** waiting for the next attempt, delivered, or failed: no further attempts */
    state: 'waiting' | 'delivered' | 'failed';
    tries: number;
    next_try_at: string | null;
    /** of the last attempt; null: no answer came */
    http_status: number | null;
    /** why no answer came */
    note: string | null;
    /** the beginning of the last answer */
    answer: string | null;
    duration_ms: number | null;
    tried_at: string | null;
    /** RFC 3339 */
    created_at: string;
  }>;
  /** null on the last page */
  cursor: string | null;
};

export type WebhookDeliveryAnswer = {
  status: 'success';
  code: 200;
  message: string;
  data: {
    id: string;
    endpoint_id: string;
    event_id: string;
    /** the type of the event, or endpoint.test */
    event_type: string;
    /** waiting for the next attempt, delivered, or failed: no further attempts */
    state: 'waiting' | 'delivered' | 'failed';
    tries: number;
    next_try_at: string | null;
    /** of the last attempt; null: no answer came */
    http_status: number | null;
    /** why no answer came */
    note: string | null;
    /** the beginning of the last answer */
    answer: string | null;
    duration_ms: number | null;
    tried_at: string | null;
    /** RFC 3339 */
    created_at: string;
  };
};

export type ReplayBody = {
  /**
   * the first moment, as RFC 3339 such as "2026-11-22T09:00:00+01:00", without control characters
   * or spaces around it
   */
  from: string;
  /**
   * the first moment after the period (default: now), as RFC 3339 such as
   * "2026-11-22T09:00:00+01:00", without control characters or spaces around it
   */
  to?: string;
  /** waiting, delivered or failed; without it: failed */
  state?: 'waiting' | 'delivered' | 'failed';
};

export type ReplayAnswer = {
  status: 'success';
  code: 200;
  message: string;
  data: {
    /** how many; 10,000 at most */
    replayed: number;
    /** the period contains more deliveries */
    more: boolean;
    /** where there are more: send the request again with this from, and with the same to */
    from: string | null;
  };
};

export type TestClockBody = {
  /** a whole number of seconds from 1 to 2592000 (30 days); clocks are not moved back */
  advance_s: number;
};

export type TestClockAnswer = {
  status: 'success';
  code: 200;
  message: string;
  data: {
    /** as sent */
    advance_s: number;
    /** how far the clock is ahead, by all moves so far */
    offset_s: number;
    /** the time of the clock, as RFC 3339 */
    now: string;
    /** work that became due sooner */
    moved: {
      /** pending purchases and orders */
      purchases: number;
      /** successes whose goods are still queried */
      late_goods: number;
      /** cards that will be sent to customers */
      deliveries: number;
      /** events that will be sent to endpoints again */
      webhooks: number;
    };
  };
};

export type TestDepositBody = {
  /** the amount of the transfer, as a string such as "5000.00", above zero */
  amount: string;
  /** one of NGN, USD, EUR, GBP, CAD, AED, in any letter case; NGN when absent */
  currency?: 'NGN' | 'USD' | 'EUR' | 'GBP' | 'CAD' | 'AED';
  /**
   * your own key for the transfer, 1 to 60 characters without control characters or spaces around
   * it; the same again is credited once
   */
  reference?: string;
};

export type TestDepositAnswer = {
  status: 'success';
  code: 200;
  message: string;
  data: {
    /** as in the event and the statement; null while pending */
    deposit_id: string | null;
    /** pending: it is credited within a minute */
    state: 'credited' | 'pending';
    /** the test funding account that was paid into */
    account_number: string;
    /** the bank's own reference of the transfer */
    bank_reference: string;
    currency: string;
    /** the amount of the transfer */
    amount: string;
    /** the convenience fee; null while pending */
    fee: string | null;
    /** the amount credited to the wallet; null while pending */
    credited: string | null;
  };
};

/** By operation: its input in path, query and body, and its answer. */
export type Operations = {
  getHealth: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: HealthAnswer;
  };
  getReadiness: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: HealthAnswer;
  };
  airtimeSync: {
    path: undefined;
    query: undefined;
    body: AirtimeBody;
    answer: CreateAnswer;
  };
  airtimeAsync: {
    path: undefined;
    query: undefined;
    body: AirtimeBody;
    answer: CreateAnswer;
  };
  dataSync: {
    path: undefined;
    query: undefined;
    body: DataBody;
    answer: CreateAnswer;
  };
  dataAsync: {
    path: undefined;
    query: undefined;
    body: DataBody;
    answer: CreateAnswer;
  };
  createTransaction: {
    path: undefined;
    query: undefined;
    body: TransactionBody;
    answer: CreateAnswer;
  };
  listTransactions: {
    path: undefined;
    query: {
      /** a whole number from 1 to 999999999999999, in digits; 1 when absent */
      page?: number;
      /** a whole number from 1 to 100, in digits; 10 when absent */
      limit?: number;
      /** the next_cursor of the previous page, with the same filters and without page */
      cursor?: string;
      /** a mobile number in any spelling, or a customer number as it was sent */
      msisdn?: string;
      /** one of airtime, data, ELECTRICITY, CABLE, BETTING, EDUCATION, in any letter case */
      product?: 'airtime' | 'data' | 'ELECTRICITY' | 'CABLE' | 'BETTING' | 'EDUCATION';
      /** the name of a mobile or bill network, such as "mtn" or "EKEDC" */
      network?: string;
      /** 0 (success), 1 (failed) or 2 (pending), or 00, 01, 02 */
      status?: '0' | '1' | '2' | '00' | '01' | '02';
    };
    body: undefined;
    answer: ListAnswer;
  };
  verifyCustomer: {
    path: undefined;
    query: undefined;
    body: VerifyBody;
    answer: VerifyAnswer;
  };
  getTransactionStatus: {
    path: undefined;
    query: {
      /**
       * the request_ref of a purchase, 1 to 100 characters without control characters or spaces
       * around it
       */
      request_ref?: string;
      /**
       * the request_ref of a purchase, 1 to 100 characters without control characters or spaces
       * around it
       */
      request_id?: string;
      /**
       * the request_ref of a purchase, 1 to 100 characters without control characters or spaces
       * around it
       */
      client_request_id?: string;
    };
    body: undefined;
    answer: StatusAnswer;
  };
  listBatches: {
    path: undefined;
    query: {
      /** the next_cursor of the previous page */
      cursor?: string;
      /** a whole number from 1 to 100, in digits; 50 when absent */
      limit?: number;
    };
    body: undefined;
    answer: BatchesAnswer;
  };
  createBatch: {
    path: undefined;
    query: undefined;
    body: BatchBody;
    answer: BatchAnswer;
  };
  getBatch: {
    path: {
      /** the id from an answer, without control characters or spaces around it */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: BatchAnswer;
  };
  changeBatch: {
    path: {
      /** the id from an answer, without control characters or spaces around it */
      id: string;
    };
    query: undefined;
    body: BatchChangeBody;
    answer: BatchAnswer;
  };
  listBatchRows: {
    path: {
      /** the id from an answer, without control characters or spaces around it */
      id: string;
    };
    query: {
      /** the next_cursor of the previous page */
      cursor?: string;
      /** a whole number from 1 to 100, in digits; 50 when absent */
      limit?: number;
      /** json or csv; csv has all rows */
      format?: 'json' | 'csv';
    };
    body: undefined;
    answer: BatchRowsAnswer;
  };
  listDataPlans: {
    path: {
      /** one of mtn, glo, airtel, 9mobile, as a string in any letter case */
      network: 'mtn' | 'glo' | 'airtel' | '9mobile';
    };
    query: {
      /** one of direct, sme, sme2, corporate_gifting, gifting, data_share */
      kind?: 'direct' | 'sme' | 'sme2' | 'corporate_gifting' | 'gifting' | 'data_share';
    };
    body: undefined;
    answer: DataPlansAnswer;
  };
  listBillPlans: {
    path: {
      /** one of electricity, cable, betting, education, in any letter case */
      product: 'electricity' | 'cable' | 'betting' | 'education';
    };
    query: {
      /** a network of the product, such as "EKEDC" or "DSTV" */
      network?: string;
    };
    body: undefined;
    answer: BillPlansAnswer;
  };
  listGiftCards: {
    path: undefined;
    query: {
      /** part of a title or category, at most 100 characters */
      search?: string;
      /** the name of a brand, at most 100 characters */
      brand?: string;
      /** one of USD, EUR, GBP, CAD, AED */
      currency?: 'USD' | 'EUR' | 'GBP' | 'CAD' | 'AED';
      /** the name of a category, at most 100 characters */
      category?: string;
      /** true for featured cards only, or false for all */
      featured?: 'true' | 'false';
    };
    body: undefined;
    answer: GiftCardCatalogAnswer;
  };
  quoteGiftCard: {
    path: {
      /** the plan_id of a gift card in the catalog, a whole number such as 300002 */
      plan_id: number;
    };
    query: {
      /**
       * the value of one card in the plan's currency, within min_price and max_price: above zero
       * with at most two decimals
       */
      face_value?: number | string;
    };
    body: undefined;
    answer: GiftCardQuoteAnswer;
  };
  quoteGiftCardByBody: {
    path: undefined;
    query: undefined;
    body: GiftCardQuoteBody;
    answer: GiftCardQuoteAnswer;
  };
  getGiftCardAvailability: {
    path: {
      /** the plan_id of a gift card in the catalog, a whole number such as 300002 */
      plan_id: number;
    };
    query: {
      /** a whole number from 1 to 5; 1 when absent */
      quantity?: number;
      /**
       * the value of one card in the plan's currency, within min_price and max_price: above zero
       * with at most two decimals
       */
      face_value?: number | string;
    };
    body: undefined;
    answer: AvailabilityAnswer;
  };
  createGiftCardOrder: {
    path: undefined;
    query: undefined;
    body: GiftCardOrderBody;
    answer: GiftCardOrderAnswer;
  };
  getGiftCardOrder: {
    path: {
      /**
       * your own unique key for this order, a string of 1 to 100 characters without control
       * characters or spaces around it
       */
      request_id: string;
    };
    query: undefined;
    body: undefined;
    answer: GiftCardOrderAnswer;
  };
  redeemVoucher: {
    path: undefined;
    query: undefined;
    body: RedeemBody;
    answer: EsimOrderAnswer;
  };
  listEsims: {
    path: undefined;
    query: {
      /** the two letters of a country, ISO 3166-1, such as NG */
      country?: string;
      /** part of the name of a region, at most 100 characters */
      region?: string;
      /** part of a title, country, region or plan id, at most 100 characters */
      search?: string;
    };
    body: undefined;
    answer: EsimCatalogAnswer;
  };
  getEsim: {
    path: {
      /** the plan_id of an eSIM in the catalog, a string such as "NG-1GB-7D" */
      plan_id: string;
    };
    query: undefined;
    body: undefined;
    answer: EsimPlanAnswer;
  };
  quoteEsim: {
    path: {
      /** the plan_id of an eSIM in the catalog, a string such as "NG-1GB-7D" */
      plan_id: string;
    };
    query: undefined;
    body: undefined;
    answer: EsimQuoteAnswer;
  };
  createEsimOrder: {
    path: undefined;
    query: undefined;
    body: EsimOrderBody;
    answer: EsimOrderAnswer;
  };
  getEsimOrder: {
    path: {
      /**
       * your own unique key for this order, a string of 1 to 40 characters without control
       * characters or spaces around it
       */
      request_id: string;
    };
    query: undefined;
    body: undefined;
    answer: EsimOrderAnswer;
  };
  getEsimQrCode: {
    path: {
      /**
       * your own unique key for this order, a string of 1 to 40 characters without control
       * characters or spaces around it
       */
      request_id: string;
    };
    query: undefined;
    body: undefined;
    answer: Uint8Array;
  };
  getWalletBalance: {
    path: undefined;
    query: {
      /** one of NGN, USD, EUR, GBP, CAD, AED, in any letter case; NGN when absent */
      currency?: 'NGN' | 'USD' | 'EUR' | 'GBP' | 'CAD' | 'AED';
    };
    body: undefined;
    answer: BalanceAnswer;
  };
  getMtnBalance: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: MtnBalanceAnswer;
  };
  getWalletStatement: {
    path: undefined;
    query: {
      /**
       * the first day of the statement (that of "to" when absent), a day in Lagos as "YYYY-MM-DD"
       */
      from?: string;
      /** its last day (today when absent), a day in Lagos as "YYYY-MM-DD" */
      to?: string;
      /** one of NGN, USD, EUR, GBP, CAD, AED, in any letter case; NGN when absent */
      currency?: 'NGN' | 'USD' | 'EUR' | 'GBP' | 'CAD' | 'AED';
      /** a whole number from 1 to 100, in digits; 100 when absent */
      limit?: number;
      /** the next_cursor of the previous page, with the same days and currency */
      cursor?: string;
      /** json or csv; csv is the whole statement */
      format?: 'json' | 'csv';
    };
    body: undefined;
    answer: StatementAnswer;
  };
  getFundingAccount: {
    path: undefined;
    query: {
      /** one of NGN, USD, EUR, GBP, CAD, AED, in any letter case; NGN when absent */
      currency?: 'NGN' | 'USD' | 'EUR' | 'GBP' | 'CAD' | 'AED';
    };
    body: undefined;
    answer: FundingAccountAnswer;
  };
  createFundingAccount: {
    path: undefined;
    query: undefined;
    body: FundingAccountBody;
    answer: FundingAccountAnswer;
  };
  listEvents: {
    path: undefined;
    query: {
      /** the cursor of the answer before, or "latest" for what happens from now on */
      after?: string;
      /**
       * types of events such as "transaction.success,deposit.credited", without control characters
       * or spaces around it
       */
      types?: string;
      /** a whole number from 1 to 100, in digits; 50 when absent */
      limit?: number;
      /** a whole number of seconds from 0 to 25, in digits */
      wait?: number;
    };
    body: undefined;
    answer: EventsAnswer;
  };
  createEndpoint: {
    path: undefined;
    query: undefined;
    body: EndpointBody;
    answer: EndpointCreatedAnswer;
  };
  listEndpoints: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: EndpointsAnswer;
  };
  changeEndpoint: {
    path: {
      /** the id from an answer, without control characters or spaces around it */
      id: string;
    };
    query: undefined;
    body: EndpointChangeBody;
    answer: EndpointAnswer;
  };
  deleteEndpoint: {
    path: {
      /** the id from an answer, without control characters or spaces around it */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: EndpointDeletedAnswer;
  };
  rotateEndpointSecret: {
    path: {
      /** the id from an answer, without control characters or spaces around it */
      id: string;
    };
    query: undefined;
    body: RotateBody;
    answer: EndpointRotatedAnswer;
  };
  testEndpoint: {
    path: {
      /** the id from an answer, without control characters or spaces around it */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: EndpointTestAnswer;
  };
  listWebhookDeliveries: {
    path: undefined;
    query: {
      /** the id of an endpoint */
      endpoint?: string;
      /** waiting, delivered or failed */
      state?: 'waiting' | 'delivered' | 'failed';
      /** a whole number from 1 to 100, in digits; 50 when absent */
      limit?: number;
      /** the cursor of the previous page, with the same endpoint and state */
      cursor?: string;
    };
    body: undefined;
    answer: WebhookDeliveriesAnswer;
  };
  replayWebhookDelivery: {
    path: {
      /** the id from an answer, without control characters or spaces around it */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: WebhookDeliveryAnswer;
  };
  replayEndpoint: {
    path: {
      /** the id from an answer, without control characters or spaces around it */
      id: string;
    };
    query: undefined;
    body: ReplayBody;
    answer: ReplayAnswer;
  };
  advanceTestClock: {
    path: undefined;
    query: undefined;
    body: TestClockBody;
    answer: TestClockAnswer;
  };
  createTestDeposit: {
    path: undefined;
    query: undefined;
    body: TestDepositBody;
    answer: TestDepositAnswer;
  };
};

/** By operation: its method and path. */
export const operations = {
  getHealth: { method: 'GET', path: '/v1/healthz' },
  getReadiness: { method: 'GET', path: '/readyz' },
  airtimeSync: { method: 'POST', path: '/v1/transactions/airtime/sync' },
  airtimeAsync: { method: 'POST', path: '/v1/transactions/airtime/async' },
  dataSync: { method: 'POST', path: '/v1/transactions/data/sync' },
  dataAsync: { method: 'POST', path: '/v1/transactions/data/async' },
  createTransaction: { method: 'POST', path: '/v1/transactions' },
  listTransactions: { method: 'GET', path: '/v1/transactions' },
  verifyCustomer: { method: 'POST', path: '/v1/transactions/verify' },
  getTransactionStatus: { method: 'GET', path: '/v1/transactions/status' },
  listBatches: { method: 'GET', path: '/v1/batches' },
  createBatch: { method: 'POST', path: '/v1/batches' },
  getBatch: { method: 'GET', path: '/v1/batches/{id}' },
  changeBatch: { method: 'PATCH', path: '/v1/batches/{id}' },
  listBatchRows: { method: 'GET', path: '/v1/batches/{id}/rows' },
  listDataPlans: { method: 'GET', path: '/v1/plans/{network}' },
  listBillPlans: { method: 'GET', path: '/v1/plans/bills/{product}' },
  listGiftCards: { method: 'GET', path: '/v1/giftcards/catalog' },
  quoteGiftCard: { method: 'GET', path: '/v1/giftcards/plans/{plan_id}/quote' },
  quoteGiftCardByBody: { method: 'POST', path: '/v1/giftcards/quote' },
  getGiftCardAvailability: { method: 'GET', path: '/v1/giftcards/plans/{plan_id}/availability' },
  createGiftCardOrder: { method: 'POST', path: '/v1/giftcards/orders' },
  getGiftCardOrder: { method: 'GET', path: '/v1/giftcards/orders/{request_id}' },
  redeemVoucher: { method: 'POST', path: '/v1/giftcards/redeem' },
  listEsims: { method: 'GET', path: '/v1/esim/catalog' },
  getEsim: { method: 'GET', path: '/v1/esim/plans/{plan_id}' },
  quoteEsim: { method: 'GET', path: '/v1/esim/plans/{plan_id}/quote' },
  createEsimOrder: { method: 'POST', path: '/v1/esim/orders' },
  getEsimOrder: { method: 'GET', path: '/v1/esim/orders/{request_id}' },
  getEsimQrCode: { method: 'GET', path: '/v1/esim/orders/{request_id}/qrcode' },
  getWalletBalance: { method: 'GET', path: '/v1/wallet/balance' },
  getMtnBalance: { method: 'GET', path: '/v1/wallet/mtn/balance' },
  getWalletStatement: { method: 'GET', path: '/v1/wallet/statement' },
  getFundingAccount: { method: 'GET', path: '/v1/wallet/funding-account' },
  createFundingAccount: { method: 'POST', path: '/v1/wallet/funding-account' },
  listEvents: { method: 'GET', path: '/v1/events' },
  createEndpoint: { method: 'POST', path: '/v1/webhooks/endpoints' },
  listEndpoints: { method: 'GET', path: '/v1/webhooks/endpoints' },
  changeEndpoint: { method: 'PATCH', path: '/v1/webhooks/endpoints/{id}' },
  deleteEndpoint: { method: 'DELETE', path: '/v1/webhooks/endpoints/{id}' },
  rotateEndpointSecret: { method: 'POST', path: '/v1/webhooks/endpoints/{id}/rotate' },
  testEndpoint: { method: 'POST', path: '/v1/webhooks/endpoints/{id}/test' },
  listWebhookDeliveries: { method: 'GET', path: '/v1/webhooks/deliveries' },
  replayWebhookDelivery: { method: 'POST', path: '/v1/webhooks/deliveries/{id}/replay' },
  replayEndpoint: { method: 'POST', path: '/v1/webhooks/endpoints/{id}/replay' },
  advanceTestClock: { method: 'POST', path: '/v1/test/clock' },
  createTestDeposit: { method: 'POST', path: '/v1/test/deposits' },
} as const;
