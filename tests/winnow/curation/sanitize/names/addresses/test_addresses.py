from winnow.curation.sanitize.names import addresses


def test_what_licences_print_is_no_private_address():
    text = "write to the Free Software Foundation, Inc., 51 Franklin Street, Fifth Floor, Boston, MA 02110-1301 USA"
    assert list(addresses.find(text)) == []


def test_a_text_without_digits_holds_no_address():
    assert list(addresses.find("Acacia Avenue, Leeds")) == []
