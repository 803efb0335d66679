from winnow.curation.sanitize.secrets.wireguard_key import WIREGUARD_KEY

KEY = "yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk="


def test_private_and_shared_keys_are_found_and_public_ones_stay() -> None:
    text = f"[Interface]\nPrivateKey = {KEY}\n[Peer]\nPublicKey = {KEY}\nPresharedKey={KEY}"
    assert [text[start:end] for start, end in WIREGUARD_KEY.find(text)] == [KEY, KEY]
